"""gremlinpython against a server: python driver.py ws://host:port/gremlin

Prints a line per check, and one for each section that failed. When it prints "restart", the server is killed and started
again on the same port; a line on standard input says that it is back.
"""
import datetime
import logging
import sys
import traceback
import uuid
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.driver.serializer import GraphSONSerializersV3d0
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __
from gremlin_python.process.strategies import ReadOnlyStrategy, ReservedKeysVerificationStrategy, SeedStrategy, SubgraphStrategy
from gremlin_python.process.traversal import Order, P, T
from gremlin_python.statics import SingleByte, SingleChar, bigdecimal, bigint, long, short

URL = sys.argv[1]
logging.disable(logging.CRITICAL)  # errors are wanted here


def check(name, got, want):
    if got != want:
        sys.exit(f"{name}: got {got!r}, want {want!r}")
    print("ok", name, flush=True)


def source(name="g", **options):
    connection = DriverRemoteConnection(URL, name, **options)
    return traversal().with_remote(connection), connection


def fill(g):
    g.V().drop().iterate()
    marko = g.add_v("person").property("name", "marko").property("age", 29).next()
    josh = g.add_v("person").property("name", "josh").property("age", 32).next()
    g.add_e("knows").from_(__.V(marko.id)).to(__.V(josh.id)).property("weight", 0.5).iterate()
    check("count", g.V().count().next(), 2)
    check("out", g.V(marko.id).out("knows").values("name").to_list(), ["josh"])
    check("order", g.V().order().by("age", Order.desc).values("name").to_list(), ["josh", "marko"])
    check("predicate", g.V().has("age", P.gt(30)).values("name").to_list(), ["josh"])
    vertex = g.V(marko.id).next()
    check("vertex with properties", [(p.key, p.value) for p in vertex.properties], [("name", "marko"), ("age", 29)])
    edge = g.E().next()
    check("edge", (edge.outV.id, edge.label, edge.inV.id), (marko.id, "knows", josh.id))
    check("path", g.V(marko.id).out().path().by("name").next().objects, ["marko", "josh"])
    check("map", g.V().group_count().by(T.label).next(), {"person": 2})


def types(g):
    zone = datetime.timezone(datetime.timedelta(hours=2))
    values = {
        "int": 1, "long": long(1 << 40), "big integer": bigint(1 << 80), "negative big integer": bigint(-(1 << 80)),
        "double": 1.5, "decimal": bigdecimal(Decimal("1.25")), "short": short(12), "byte": SingleByte(-3), "char": SingleChar("\ue000"),
        "string": "\u00fc\U0001f600", "empty string": "", "boolean": True, "uuid": uuid.UUID(int=7),
        "datetime": datetime.datetime(2024, 2, 29, 12, 30, 15, 123456, tzinfo=zone), "duration": datetime.timedelta(seconds=90),
        "list": [1, "two", [3.0]], "set": {1, 2}, "map": {"a": 1, "b": [2]},
    }
    for name, value in values.items():
        check("inject " + name, g.inject(value).next(), value)
    scalars = {n: v for n, v in values.items() if not isinstance(v, (list, set, dict))}
    vertex = g.add_v("types").next()
    for name, value in scalars.items():
        g.V(vertex.id).property(name, value).iterate()
    for name, value in scalars.items():
        check("property " + name, g.V(vertex.id).values(name).next(), value)
    check("null", g.inject(None).next(), None)


def transactions():
    g, connection = source("gtx")
    g.V().drop().iterate()
    tx = g.tx()
    inside = tx.begin()
    inside.add_v("tx").iterate()
    check("own write is seen inside", inside.V().count().next(), 1)
    check("and not outside", g.V().count().next(), 0)
    tx.commit()
    check("but after commit", g.V().count().next(), 1)
    tx = g.tx()
    inside = tx.begin()
    inside.add_v("tx").iterate()
    tx.rollback()
    check("rollback", g.V().count().next(), 1)
    connection.close()


def sessions():
    client = Client(URL, "g", session=str(uuid.uuid4()))
    check("session assignment", client.submit("x = 1").all().result(), [1])
    check("session variable", client.submit("x + 2").all().result(), [3])
    client.close()


def refused(name, code, run):
    try:
        run()
    except GremlinServerError as e:
        check(name, e.status_code, code)
        return e
    sys.exit(f"{name}: no error")


def errors(g):
    client = Client(URL, "gmodern")
    e = refused("script error", 597, lambda: client.submit("1/0").all().result())
    check("names exceptions", "exceptions" in e.status_attributes and "stackTrace" in e.status_attributes, True)
    refused("fail()", 595, lambda: g.inject(1).fail("stop").iterate())
    endless = "g.inject(1).repeat(identity()).until(is(2))"
    refused("timeout", 598, lambda: client.submit(endless, request_options={"evaluationTimeout": 200}).all().result())
    check("still usable", client.submit("g.V().count()").all().result(), [6])
    client.close()


def scripts():
    client = Client(URL, "gmodern")

    def one(script, bindings=None, **options):
        return client.submit(script, bindings, request_options=options or None).all().result()

    check("arithmetic", one("1 + 1"), [2])
    check("text", one("'test'"), ["test"])
    check("long text", one('" "*8000'), [" " * 8000])
    check("bindings", one("x + x", {"x": 2}), [4])
    check("list", one("[1, 2, 3]"), [1, 2, 3])
    check("no result", one("[]"), [])
    vertex = one("g.V(1)")[0]
    check("script vertex", [(p.key, p.value) for p in vertex.properties], [("name", "marko"), ("age", 29)])
    for tokens in ('"tokens"', "'tokens'"):
        check("tokens in the text", one(f"g.with('materializeProperties', {tokens}).V(1)")[0].properties, [])
    check("tokens as option", one("g.V(1)", materializeProperties="tokens")[0].properties, [])
    check("gremlin-lang", one("g.V().count()", language="gremlin-lang"), [6])
    check("frames of batchSize", [len(part) for part in client.submit("g.V().limit(3)", request_options={"batchSize": 2})], [2, 1])
    client.close()


def lambdas():
    g, connection = source("gmodern")
    check("lambda map", g.V(1, 2).map(lambda: "it.get().value('name')").to_list(), ["marko", "vadas"])
    check("lambda of one", g.V().filter_(lambda: "x -> true").count().next(), 6)
    check("lambda sack", g.with_sack(lambda: "{1.0d}", lambda: "x -> x + 1").V(1).out().sack().to_list(), [2.0, 2.0, 2.0])
    check("lambda of two", g.with_sack(1).V(1, 2).sack(lambda: "x, y ->  x + y + 1").by(__.constant(1)).sack().to_list(), [3, 3])
    refused("lambda error", 500, lambda: g.inject("a").map(lambda: "it.get().nothing()").to_list())
    subgraph = g.with_strategies(SubgraphStrategy(vertices=__.has_label("person"), edges=__.has_label("created")))
    check("SubgraphStrategy", (subgraph.V().count().next(), subgraph.E().count().next()), (4, 0))
    check("SeedStrategy", g.with_strategies(SeedStrategy(seed=999999)).V().coin(0.4).count().next(), 1)
    refused("ReadOnlyStrategy", 500, lambda: g.with_strategies(ReadOnlyStrategy()).add_v("person").iterate())
    refused("ReservedKeysVerificationStrategy", 500,
            lambda: g.with_strategies(ReservedKeysVerificationStrategy(throw_exception=True)).add_v("person").property("id", "x").iterate())
    check("withComputer", g.with_computer().V().count().next(), 6)
    check("options", g.with_("evaluationTimeout", 5000).V().count().next(), 6)
    refused("timeout as option", 598, lambda: g.with_("evaluationTimeout", 10).inject(1).repeat(__.identity()).until(__.is_(2)).iterate())
    check("tokens", g.with_("materializeProperties", "tokens").V(1).next().properties, [])
    connection.close()


def many():
    def one(n):
        g, connection = source("gmodern")
        try:
            return sum(g.V().count().next() for _ in range(10))
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        check("32 connections", list(pool.map(one, range(32))), [60] * 32)


def graphson():
    g, connection = source("gmodern", message_serializer=GraphSONSerializersV3d0())
    check("GraphSON 3", sorted(g.V().values("name").to_list()), ["josh", "lop", "marko", "peter", "ripple", "vadas"])
    check("GraphSON 3 vertex", g.V(1).next().properties[0].value, "marko")
    connection.close()


def restart():
    g, connection = source()
    g.add_v("kept").property("n", 1).iterate()
    print("restart", flush=True)
    sys.stdin.readline()
    for attempt in range(20):
        try:
            check("acknowledged write after kill -9", g.V().has_label("kept").count().next(), 1)
            break
        except (GremlinServerError, SystemExit):
            raise
        except Exception as e:  # the connection that was lost; a new one follows
            print("reconnect", type(e).__name__, flush=True)
            g, connection = source()
    else:
        sys.exit("no connection after the restart")
    connection.close()


def section(run, *args):
    try:
        run(*args)
    except (Exception, SystemExit) as e:
        traceback.print_exc()
        print("FAILED", run.__name__, repr(e).replace("\n", " "), flush=True)


def main():
    g, connection = source()
    section(fill, g)
    section(types, g)
    section(transactions)
    section(sessions)
    section(errors, g)
    section(many)
    section(graphson)
    section(scripts)
    section(lambdas)
    connection.close()
    if "--no-restart" not in sys.argv:
        section(restart)
    print("done")


main()
