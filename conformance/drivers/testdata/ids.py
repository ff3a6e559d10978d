"""gremlinpython on the default graph: what it was given finds its element again: python ids.py ws://host:port/gremlin"""
import datetime
import logging
import sys
import uuid
from decimal import Decimal

from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.serializer import GraphBinarySerializersV1, GraphSONSerializersV3d0
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __
from gremlin_python.process.traversal import P, T
from gremlin_python.statics import SingleByte, bigdecimal, bigint, long, short

logging.disable(logging.CRITICAL)


def check(name, got, want):
    if got != want:
        sys.exit(f"{name}: got {got!r}, want {want!r}")
    print("ok", name, flush=True)


def sendable(id):
    """GraphBinary of this driver sends a plain int in 32 bits or not at all, though it reads longer ones as such."""
    if type(id) is int and abs(id) >= 1 << 31:
        return bigint(id) if abs(id) >= 1 << 63 else long(id)
    return id


def element(g, name, v):
    v.id = sendable(v.id)
    check(name + " by its id", g.V(v.id).count().next(), 1)
    check(name + " by itself", g.V(v).count().next(), 1)
    check(name + " hasId", g.V().has_id(v.id).count().next(), 1)
    check(name + " has(T.id, within)", g.V().has(T.id, P.within([v.id])).count().next(), 1)
    check(name + " is", g.V().is_(v).id_().to_list(), [v.id])
    check(name + " within", g.V().is_(P.within(v)).count().next(), 1)
    check(name + " neq", g.V().is_(P.neq(v)).count().next(), g.V().count().next() - 1)
    check(name + " choose", g.V(v).choose(__.identity()).option(v, __.constant("it")).option(None, __.constant("no")).to_list()[:1], ["it"])
    check(name + " intersect", g.V().fold().intersect([v]).unfold().count().next(), 1)
    check(name + " mergeV", g.merge_v({T.id: v.id}).id_().next(), v.id)
    e = g.add_e("self").from_(v).to(v).next()
    e.outV = e.inV = v
    check(name + " edge by its id", g.E(e.id).count().next(), 1)
    check(name + " edge by itself", g.E(e).count().next(), 1)
    check(name + " edge is", g.V(v).out_e().is_(e).count().next(), 1)
    check(name + " connected", g.V(v).out("self").is_(v).count().next(), 1)
    p = g.V(v).property("n", 1).properties("n").next()
    p.vertex = v  # its GraphSON writes that
    check(name + " property is", g.V(v).properties().is_(p).count().next(), 1)
    g.V(v).drop().iterate()
    check(name + " gone", g.V(v.id).count().next(), 0)


def run(serializer):
    connection = DriverRemoteConnection(sys.argv[1], "g", message_serializer=serializer)
    g = traversal().with_remote(connection)
    g.V().drop().iterate()
    g.add_v("other").iterate()
    for n in range(2):
        element(g, f"generated {n}", g.add_v("x").next())
    ids = {"int": 1001, "long": long(1002), "long beyond 32 bits": long(1 << 40), "short": short(77), "byte": SingleByte(78), "big integer": bigint(1003),
           "big integer beyond 64 bits": bigint(1 << 80), "text": "one", "digits": "1001", "uuid": uuid.UUID(int=7), "double": 1.5,
           "decimal": bigdecimal(Decimal("2.25")), "datetime": datetime.datetime(2024, 2, 29, 12, 30, tzinfo=datetime.timezone.utc)}
    for name, id in ids.items():
        element(g, name, g.add_v("x").property(T.id, id).next())
    connection.close()


run(GraphBinarySerializersV1())
run(GraphSONSerializersV3d0())
print("done")
