// gremlin (npm) as users with roles, by password and by token: node rights.js URL PASSWORD TOKEN ENDED FOREIGN
'use strict';
const assert = require('node:assert');
const gremlin = require('gremlin');

const [url, password, token, ended, foreign] = process.argv.slice(2);
const { traversal } = gremlin.process.AnonymousTraversalSource;
const { DriverRemoteConnection, auth } = gremlin.driver;

const plain = (name, secret) => ({ authenticator: new auth.PlainTextSaslAuthenticator(name, secret) });

async function login(traversalSource, how, ask) {
  const connection = new DriverRemoteConnection(url, { traversalSource, ...how });
  try {
    await ask(traversal().withRemote(connection));
  } finally {
    await connection.close();
  }
}

async function refused(name, code, text, promise) {
  await assert.rejects(promise, (e) => e.statusCode === code && e.message.includes(text), name);
  console.log('ok', name);
}

async function analyst(name, user, how) {
  await login('gmodern', how, async (g) => {
    assert.strictEqual((await g.V().count().next()).value, 6);
    assert.deepStrictEqual(await g.V(1).properties().key().toList(), ['name']);
    assert.deepStrictEqual(await g.V(1).outE().label().dedup().toList(), ['knows']);
    assert.deepStrictEqual(await g.V().has('age', 29).toList(), []);
    console.log('ok', name);
    await refused(name + ': write', 401, `user ${user} may not write to graph modern`, g.addV('x').iterate());
    await refused(name + ': step', 401, 'may not use the step call()', g.call('--list').toList());
  });
}

async function main() {
  await analyst('password', 'ann', plain('ann', password));
  await analyst('token', 'eve', plain('eve', token));
  await analyst('token without name', 'eve', plain('token', token));
  await analyst('token in the handshake', 'eve', { headers: { Authorization: 'Bearer ' + token } });
  const wrong = { 'wrong password': ['ann', 'wrong'], 'ended token': ['eve', ended], 'foreign token': ['eve', foreign], "another's token": ['ann', token] };
  for (const [name, how] of Object.entries(wrong)) {
    await login('gmodern', plain(...how), (g) => refused(name, 401, 'Username and/or password are incorrect', g.V().count().next()));
  }
  for (const source of ['gmodern', 'zeta/x']) {
    await login(source, plain('shop-app', password), (g) =>
      refused('a graph out of reach', 499, `The traversal source [${source}] for alias [g] is not configured on the server.`, g.V().count().next()));
  }
  console.log('done');
  process.exit(0);
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
