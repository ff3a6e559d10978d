// gremlin (npm) on the default graph: what it was given finds its element again: node ids.js ws://host:port/gremlin
'use strict';
const assert = require('node:assert');
const gremlin = require('gremlin');

const { traversal } = gremlin.process.AnonymousTraversalSource;
const { P, t, statics: __ } = gremlin.process;
const { DriverRemoteConnection } = gremlin.driver;

function check(name, got, want) {
  assert.deepStrictEqual(got, want, name);
  console.log('ok', name);
}

async function element(g, name, v, binary) {
  const count = async (traversal) => (await traversal.count().next()).value;
  check(`${name} by its id`, await count(g.V(v.id)), 1);
  check(`${name} by itself`, await count(g.V(v)), 1);
  check(`${name} hasId`, await count(g.V().hasId(v.id)), 1);
  check(`${name} has(T.id, within)`, await count(g.V().has(t.id, P.within([v.id]))), 1);
  check(`${name} is`, await g.V().is(v).id().toList(), [v.id]);
  check(`${name} within`, await count(g.V().is(P.within(v))), 1);
  check(`${name} neq`, await count(g.V().is(P.neq(v))), (await count(g.V())) - 1);
  check(`${name} choose`, await g.V(v).choose(__.identity()).option(v, __.constant('it')).toList(), ['it']);
  check(`${name} intersect`, await count(g.V().fold().intersect([v]).unfold()), 1);
  check(`${name} mergeV`, (await g.mergeV(new Map([[t.id, v.id]])).id().next()).value, v.id);
  const e = (await g.addE('self').from_(v).to(v).next()).value;
  check(`${name} edge by its id`, await count(g.E(e.id)), 1);
  check(`${name} edge by itself`, await count(g.E(e)), 1);
  check(`${name} edge is`, await count(g.V(v).outE().is(e)), 1);
  check(`${name} connected`, await count(g.V(v).out('self').is(v)), 1);
  const p = (await g.V(v).property('n', 1).properties('n').next()).value;
  if (binary) check(`${name} property is`, await count(g.V(v).properties().is(p)), 1); // its GraphSON has no form for one
  await g.V(v).drop().iterate();
  check(`${name} gone`, await count(g.V(v.id)), 0);
}

async function run(mimeType) {
  const binary = mimeType.includes('graphbinary');
  const connection = new DriverRemoteConnection(process.argv[2], { traversalSource: 'g', mimeType });
  const g = traversal().withRemote(connection);
  await g.V().drop().iterate();
  await g.addV('other').iterate();
  for (let n = 0; n < 2; n++) await element(g, `generated ${n}`, (await g.addV('x').next()).value, binary);
  const ids = { int: 1001, 'beyond 32 bits': 2 ** 40, 'big integer': 1003n, 'beyond 64 bits': 2n ** 80n, text: 'one', digits: '1001', double: 1.5 };
  for (const [name, id] of Object.entries(ids)) {
    if (typeof id === 'bigint' && !binary) continue; // nor for these
    await element(g, name, (await g.addV('x').property(t.id, id).next()).value, binary);
  }
  await connection.close();
}

run('application/vnd.graphbinary-v1.0')
  .then(() => run('application/vnd.gremlin-v3.0+json'))
  .then(() => {
    console.log('done');
    process.exit(0);
  })
  .catch((e) => {
    console.error(e);
    process.exit(1);
  });
