// gremlin (npm) against a server: node driver.js ws://host:port/gremlin
//
// Prints a line per check, and one for each section that failed. When it prints "restart", the server is killed and started
// again on the same port; a line on standard input says that it is back.
'use strict';
const assert = require('node:assert');
const readline = require('node:readline');
const gremlin = require('gremlin');

const url = process.argv[2];
const { traversal } = gremlin.process.AnonymousTraversalSource;
const { P, t, order, cardinality, statics: __ } = gremlin.process;
const strategies = require('gremlin/lib/process/traversal-strategy');
const { DriverRemoteConnection, Client } = gremlin.driver;

function check(name, got, want) {
  assert.deepStrictEqual(got, want, name);
  console.log('ok', name);
}

function source(name, options) {
  const connection = new DriverRemoteConnection(url, { traversalSource: name, ...options });
  return [traversal().withRemote(connection), connection];
}

async function fill(g) {
  await g.V().drop().iterate();
  const marko = (await g.addV('person').property('name', 'marko').property('age', 29).next()).value;
  const josh = (await g.addV('person').property('name', 'josh').property('age', 32).next()).value;
  await g.addE('knows').from_(__.V(marko.id)).to(__.V(josh.id)).property('weight', 0.5).iterate();
  check('count', (await g.V().count().next()).value, 2);
  check('out', await g.V(marko.id).out('knows').values('name').toList(), ['josh']);
  check('order', await g.V().order().by('age', order.desc).values('name').toList(), ['josh', 'marko']);
  check('predicate', await g.V().has('age', P.gt(30)).values('name').toList(), ['josh']);
  const vertex = (await g.V(marko.id).next()).value;
  check('vertex with properties', vertex.properties.map((p) => [p.label, p.value]), [['name', 'marko'], ['age', 29]]);
  const edge = (await g.E().next()).value;
  check('edge', [edge.outV.id, edge.label, edge.inV.id], [marko.id, 'knows', josh.id]);
  check('path', (await g.V(marko.id).out().path().by('name').next()).value.objects, ['marko', 'josh']);
  check('map', (await g.V().groupCount().by(t.label).next()).value, new Map([['person', 2]]));
}

async function types(g) {
  const values = {
    int: 1, long: 2 ** 40, double: 1.5, 'big integer': 2n ** 80n, string: '\u00fc\u{1F600}', 'empty string': '', boolean: true,
    date: new Date(1709202615123), list: [1, 'two', [3.5]], set: new Set([1, 2]), map: new Map([['a', 1], ['b', [2]]]),
  };
  const vertex = (await g.addV('types').next()).value;
  for (const [name, value] of Object.entries(values)) {
    check(`inject ${name}`, (await g.inject(value).next()).value, value);
    if (value instanceof Map || value instanceof Set || Array.isArray(value)) continue;
    await g.V(vertex.id).property(name, value).iterate();
    check(`property ${name}`, (await g.V(vertex.id).values(name).next()).value, value);
  }
  check('null', (await g.inject(null).next()).value, null);
}

async function transactions() {
  const [g, connection] = source('gtx');
  await g.V().drop().iterate();
  let tx = g.tx();
  let inside = tx.begin();
  await inside.addV('tx').iterate();
  check('own write is seen inside', (await inside.V().count().next()).value, 1);
  check('and not outside', (await g.V().count().next()).value, 0);
  await tx.commit();
  check('but after commit', (await g.V().count().next()).value, 1);
  tx = g.tx();
  inside = tx.begin();
  await Promise.all([inside.addV('tx').iterate(), inside.addV('tx').iterate()]);
  await tx.rollback();
  check('rollback', (await g.V().count().next()).value, 1);
  await connection.close();
}

async function sessions() {
  const client = new Client(url, { traversalSource: 'g', session: 'javascript' });
  check('session assignment', (await client.submit('x = [0, 1, 2, 3, 4, 5]')).toArray(), [0, 1, 2, 3, 4, 5]);
  check('session variable', (await client.submit('x[2] + 4')).toArray(), [6]);
  check('session variable and binding', (await client.submit('x[3] + y', { y: 5 })).toArray(), [8]);
  await client.close();
}

async function refused(name, code, run) {
  try {
    await run();
  } catch (e) {
    check(name, e.statusCode, code);
    return e;
  }
  throw new Error(`${name}: no error`);
}

async function errors(g) {
  const client = new Client(url, { traversalSource: 'gmodern' });
  const e = await refused('script error', 597, () => client.submit('1/0'));
  check('names exceptions', e.statusAttributes.has('exceptions') && e.statusAttributes.has('stackTrace'), true);
  await refused('fail()', 595, () => g.inject(1).fail('stop').iterate());
  const endless = 'g.inject(1).repeat(identity()).until(is(2))';
  await refused('timeout', 598, () => client.submit(endless, null, { evaluationTimeout: 200 }));
  check('still usable', (await client.submit('g.V().count()')).toArray(), [6]);
  const sizes = [];
  for await (const part of client.stream('g.V().limit(3)', {}, { batchSize: 2 })) sizes.push(part.toArray().length);
  check('frames of batchSize', sizes, [2, 1]);
  await client.close();
}

async function scripts() {
  const client = new Client(url, { traversalSource: 'gmodern' });
  const one = async (...args) => (await client.submit(...args)).toArray();
  check('arithmetic', await one('2+2'), [4]);
  check('bindings', await one('x + x', { x: 3 }), [6]);
  const set = { card: cardinality.set };
  check('cardinality', await one('card.class.simpleName + ":" + card', set), ['Cardinality:set']);
  check('tail', (await one('g.V().tail()')).map((v) => v.properties[0].value), ['peter']);
  const [edge] = await one('g.E().has("weight", 0.5).limit(1)');
  check('edge of a script', [edge.id, edge.properties.weight ?? edge.properties[0].value], [7, 0.5]);
  check('tokens', (await one('g.with("materializeProperties", "tokens").V(1)'))[0].properties ?? [], []);
  await client.close();
  const crew = new Client(url, { traversalSource: 'gcrew' });
  const [location] = (await crew.submit('g.V(7).properties("location").limit(1)')).toArray();
  check('meta-properties', [location.value, location.properties.map((p) => p.value)], ['centreville', [1990, 2000]]);
  await crew.close();
}

async function lambdas() {
  const [g, connection] = source('gmodern');
  const name = () => ["it.get().value('name')", 'gremlin-groovy'];
  check('lambda', await g.V(1, 2).map(name).toList(), ['marko', 'vadas']);
  const { SubgraphStrategy, SeedStrategy, ReadOnlyStrategy } = strategies;
  const subgraph = g.withStrategies(new SubgraphStrategy({ vertices: __.hasLabel('person'), edges: __.hasLabel('created') }));
  check('SubgraphStrategy', [(await subgraph.V().count().next()).value, (await subgraph.E().count().next()).value], [4, 0]);
  check('SeedStrategy', (await g.withStrategies(new SeedStrategy({ seed: 999999 })).V().coin(0.4).count().next()).value, 1);
  await refused('ReadOnlyStrategy', 500, () => g.withStrategies(new ReadOnlyStrategy()).addV('person').iterate());
  await refused('unknown step', 599, () => {
    const t = g.V();
    t.getBytecode().addStep('SYNTAX_ERROR', []);
    return t.iterate();
  });
  await refused('timeout as option', 598, () => g.with_('evaluationTimeout', 10).inject(1).repeat(__.identity()).until(__.is(2)).iterate());
  await connection.close();
}

async function many() {
  const one = async () => {
    const [g, connection] = source('gmodern');
    const counts = await Promise.all(Array.from({ length: 10 }, () => g.V().count().next()));
    await connection.close();
    return counts.reduce((n, c) => n + c.value, 0);
  };
  check('32 connections', await Promise.all(Array.from({ length: 32 }, one)), Array(32).fill(60));
}

async function graphson() {
  const [g, connection] = source('gmodern', { mimeType: 'application/vnd.gremlin-v3.0+json' });
  check('GraphSON 3', (await g.V().values('name').toList()).sort(), ['josh', 'lop', 'marko', 'peter', 'ripple', 'vadas']);
  await connection.close();
}

async function restart() {
  let [g, connection] = source('g');
  await g.addV('kept').iterate();
  connection.addListener('socketError', () => {});
  console.log('restart');
  const input = readline.createInterface({ input: process.stdin });
  await new Promise((resolve) => input.once('line', resolve));
  input.close();
  for (let attempt = 0; ; attempt++) {
    try {
      check('acknowledged write after kill -9', (await g.V().hasLabel('kept').count().next()).value, 1);
      break;
    } catch (e) {
      if (attempt === 20 || e instanceof assert.AssertionError) throw e;
      console.log('reconnect', e.message);
      [g, connection] = source('g');
    }
  }
  await connection.close();
}

async function section(run, ...args) {
  try {
    await run(...args);
  } catch (e) {
    console.error(e);
    console.log('FAILED', run.name, String(e).replaceAll('\n', ' '));
  }
}

async function main() {
  const [g, connection] = source('g');
  await section(fill, g);
  await section(types, g);
  await section(transactions);
  await section(sessions);
  await section(errors, g);
  await section(many);
  await section(graphson);
  await section(scripts);
  await section(lambdas);
  await connection.close();
  if (!process.argv.includes('--no-restart')) await section(restart);
  console.log('done');
  process.exit(0); // a failed section may have left a connection
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
