// What the graph and the server have of names, for completion and the pages.

import { string } from './graphson.js';

export const none = { labels: [], keys: [], sources: ['g', '__'], services: [], graph: '' };

const ours = ['gremlind.feature', 'gremlind.graph.stats', 'gremlind.index.list', 'gremlind.index.keys', 'gremlind.names', 'gremlind.schema', 'gremlind.sources', 'gremlind.users'];

/** namesOf asks for the names of a source's graph. What may not be asked stays empty. */
export async function namesOf(ask, source, sources) {
  const get = async (script) => {
    try { return (await ask(script)).results; } catch { return []; }
  };
  const [names, services] = await Promise.all([get("g.call('gremlind.names')"), get("g.call('--list', [all: true])")]);
  const has = (m) => Number(m.get('vertices')) + Number(m.get('edges')) > 0;
  const of = (keep) => names.filter((m) => m instanceof Map && keep(m)).map((m) => string(m.get('name')));
  return {
    labels: of(has), keys: of((m) => !has(m)), sources: none.sources,
    services: [...new Set([...services.map(string), ...ours])].sort(), graph: sources.get(source) ?? '',
  };
}

/** sourcesOf gives the graph of each source. */
export async function sourcesOf(ask) {
  const { results } = await ask("g.call('gremlind.sources')");
  return new Map(results.map((m) => [string(m.get('source')), string(m.get('graph'))]));
}

/** usersOf gives the users as whom one may see: none to most. */
export async function usersOf(ask) {
  const { results } = await ask("g.call('gremlind.users')");
  return results.map(string);
}
