// gremlin (npm) over TLS with a name and a password: node auth.js wss://host:port/gremlin NAME PASSWORD
'use strict';
const assert = require('node:assert');
const gremlin = require('gremlin');

const [url, name, password] = process.argv.slice(2);
const { traversal } = gremlin.process.AnonymousTraversalSource;
const { DriverRemoteConnection, auth } = gremlin.driver;

function source(password) {
  const authenticator = new auth.PlainTextSaslAuthenticator(name, password);
  const connection = new DriverRemoteConnection(url, { traversalSource: 'gmodern', authenticator, rejectUnauthorized: false });
  return [traversal().withRemote(connection), connection];
}

async function main() {
  let [g, connection] = source(password);
  const counts = await Promise.all(Array.from({ length: 10 }, () => g.V().count().next()));
  assert.deepStrictEqual(counts.map((c) => c.value), Array(10).fill(6));
  console.log('ok ten at once');
  await connection.close();
  [g, connection] = source('wrong');
  await assert.rejects(g.V().count().next(), (e) => e.statusCode === 401 && /Username and\/or password are incorrect/.test(e.message));
  console.log('ok wrong password');
  await connection.close();
  const plain = new DriverRemoteConnection(url.replace('wss:', 'ws:'), { traversalSource: 'gmodern' });
  await assert.rejects(traversal().withRemote(plain).V().count().next());
  console.log('ok refused without TLS');
  console.log('done');
  process.exit(0);
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
