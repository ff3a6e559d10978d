// GraphSON 3 as values of this page.

export class Vertex {
  constructor(v) {
    Object.assign(this, { raw: v.id, id: decode(v.id), label: v.label ?? 'vertex', key: keyOf(v.id), properties: new Map() });
    for (const [k, list] of Object.entries(v.properties ?? {})) {
      this.properties.set(k, list.map((p) => decode(p['@value'].value)));
    }
  }
}

export class Edge {
  constructor(v) {
    Object.assign(this, {
      raw: v.id, id: decode(v.id), label: v.label ?? 'edge', key: keyOf(v.id), properties: new Map(),
      out: endOf(v.outV, v.outVLabel), in: endOf(v.inV, v.inVLabel),
    });
    for (const [k, p] of Object.entries(v.properties ?? {})) this.properties.set(k, [decode(p['@value'].value)]);
  }
}

const endOf = (raw, label) => ({ raw, id: decode(raw), key: keyOf(raw), label: label ?? 'vertex' });

/** keyOf tells elements of one kind apart by their ids. */
export const keyOf = (raw) => JSON.stringify(raw);

export class Property {
  constructor(key, value) { this.key = key; this.value = value; }
}

export class Path {
  constructor(v) { this.labels = decode(v.labels); this.objects = decode(v.objects); }
}

export class Tree {
  constructor(list) { this.branches = list.map((b) => [decode(b.key), decode(b.value)]); }
}

export class Subgraph {
  constructor(v) { this.vertices = v.vertices.map(decode); this.edges = v.edges.map(decode); }
}

/** Plan is what profile() or explain() gives. */
export class Plan {
  constructor(kind, fields) { this.kind = kind; this.fields = fields; }
}

export class GSet {
  constructor(items) { this.items = items; }
}

/** Text is a value whose type has no other form here: a date, a UUID, an enumeration. */
export class Text {
  constructor(type, text) { this.type = type; this.text = text; }
}

const number = (x) => {
  if (typeof x !== 'string') return x;
  return /^-?\d+$/.test(x) ? BigInt(x) : Number(x);
};

const makers = {
  'g:Int32': number, 'g:Int64': number, 'g:Double': number, 'g:Float': number, 'gx:Byte': number, 'gx:Int16': number,
  'gx:BigDecimal': number, 'gx:BigInteger': number,
  'g:List': (x) => x.map(decode),
  'g:Set': (x) => new GSet(x.map(decode)),
  'g:Map': pairs,
  'g:BulkSet': (x) => x.flatMap((v, i) => (i % 2 ? [] : Array(Number(decode(x[i + 1]))).fill(decode(v)))),
  'g:Vertex': (x) => new Vertex(x),
  'g:Edge': (x) => new Edge(x),
  'g:VertexProperty': (x) => new Property(x.label, decode(x.value)),
  'g:Property': (x) => new Property(x.key, decode(x.value)),
  'g:Path': (x) => new Path(x),
  'g:Tree': (x) => new Tree(x),
  'tinker:graph': (x) => new Subgraph(x),
  'g:TraversalMetrics': (x) => new Plan('profile', decode(x)),
  'g:TraversalExplanation': (x) => new Plan('explain', decode(x)),
  'g:Metrics': (x) => decode(x),
  'g:Traverser': (x) => decode(x.value),
  'g:Date': date, 'g:Timestamp': date,
};

function date(ms) { return new Text('Date', new Date(Number(ms)).toISOString()); }

function pairs(x) {
  const m = new Map();
  for (let i = 0; i + 1 < x.length; i += 2) m.set(decode(x[i]), decode(x[i + 1]));
  return m;
}

/** decode turns GraphSON that JSON.parse has read into a value. */
export function decode(x) {
  if (x === null || typeof x !== 'object') return x;
  if (Array.isArray(x)) return x.map(decode);
  const make = Object.hasOwn(makers, x['@type']) ? makers[x['@type']] : null;
  if (make) return make(x['@value']);
  if (typeof x['@type'] === 'string') return new Text(x['@type'].replace(/^.*:/, ''), plain(x['@value']));
  return new Map(Object.entries(x).map(([k, v]) => [k, decode(v)]));
}

const plain = (x) => (typeof x === 'object' && x !== null ? JSON.stringify(x) : String(x));

/** read parses an answer. Whole numbers that JavaScript cannot hold keep all digits. */
export function read(text) {
  return JSON.parse(text.replace(/("@type":"g[x]?:(?:Int64|BigInteger)","@value":)(-?\d{16,})/g, '$1"$2"'));
}

/** string is a value in a line. */
export function string(x) {
  if (x === null || x === undefined) return 'null';
  if (x instanceof Text) return x.text;
  if (x instanceof Vertex) return `v[${string(x.id)}]`;
  if (x instanceof Edge) return `e[${string(x.id)}][${string(x.out.id)}-${x.label}->${string(x.in.id)}]`;
  if (x instanceof Property) return `${x.key}: ${string(x.value)}`;
  if (x instanceof Path) return x.objects.map(string).join(' → ');
  if (x instanceof GSet) return `{${x.items.map(string).join(', ')}}`;
  if (x instanceof Map) return `{${[...x].map(([k, v]) => `${string(k)}: ${string(v)}`).join(', ')}}`;
  if (x instanceof Tree) return `{${x.branches.map(([k, v]) => `${string(k)}: ${string(v)}`).join(', ')}}`;
  if (x instanceof Subgraph) return `graph[vertices: ${x.vertices.length}, edges: ${x.edges.length}]`;
  if (x instanceof Plan) return `${x.kind}()`;
  if (Array.isArray(x)) return `[${x.map(string).join(', ')}]`;
  return String(x);
}
