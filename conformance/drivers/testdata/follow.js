// Runs the program of docs/time.md that follows what changes, as it stands there.
//
//     node follow.js ws://localhost:8182/gremlin docs/time.md
//
// The server is killed while it follows. What fails begins with FAILED.
const fs = require('fs');

const [address, page] = process.argv.slice(2);
const url = address.replace('ws://', 'http://').replace('/gremlin', '');
const program = fs.readFileSync(page, 'utf8').match(/```javascript\n(async function\* follow[^]*?)\n```/)[1];
const follow = eval(`(${program})`);

async function ask(gremlin) {
  const body = JSON.stringify({gremlin, aliases: {g: 'gmodern'}});
  const answer = await fetch(`${url}/gremlin`, {method: 'POST', body, headers: {'Content-Type': 'application/json'}});
  if (!answer.ok) throw new Error(await answer.text());
}

async function main() {
  await ask("g.call('gremlind.graph.set', [name: 'modern', history: 'forever'])");
  const commits = follow(url, 'gmodern');
  const expect = async number => {
    const commit = (await commits.next()).value;
    const values = commit.changes.filter(c => c.op === 'set').map(c => c.value);
    console.log(values.length === 1 && values[0] === number ? 'ok' : 'FAILED', JSON.stringify(commit));
  };
  await ask("g.addV('x').property('n', 1)");
  await expect(1);
  if (!process.argv.includes('--no-restart')) {
    console.log('restart');
    await new Promise(done => process.stdin.once('data', done));
  }
  await ask("g.addV('x').property('n', 2)");
  await expect(2);
  console.log('done');
  process.exit(0);
}

main().catch(e => { console.log('FAILED', e); process.exit(1); });
