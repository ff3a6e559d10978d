"""gremlinpython as users with roles, by password and by token: python rights.py URL PASSWORD TOKEN ENDED FOREIGN"""
import logging
import sys

from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.process.anonymous_traversal import traversal

url, password, token, ended, foreign = sys.argv[1:6]
logging.disable(logging.CRITICAL)  # errors are wanted here


def check(name, got, want):
    if got != want:
        sys.exit(f"{name}: got {got!r}, want {want!r}")
    print("ok", name, flush=True)


def refused(name, code, text, ask):
    try:
        ask()
    except GremlinServerError as e:
        if e.status_code != code or text not in str(e):
            sys.exit(f"{name}: {e}")
        print("ok", name, flush=True)
        return
    sys.exit(f"{name}: not refused")


def login(source, ask, **how):
    connection = DriverRemoteConnection(url, source, pool_size=1, **how)
    try:
        ask(traversal().with_remote(connection))
    finally:
        connection.close()


def analyst(name, user):
    def ask(g):
        check(name + ": vertices", g.V().count().next(), 6)
        check(name + ": denied key", sorted(g.V(1).properties().key().to_list()), ["name"])
        check(name + ": denied edges", g.V(1).out_e().label().dedup().to_list(), ["knows"])
        check(name + ": nothing by a denied key", g.V().has("age", 29).to_list(), [])
        refused(name + ": write", 401, f"user {user} may not write to graph modern", lambda: g.add_v("x").iterate())
        refused(name + ": step", 401, "may not use the step call()", lambda: g.call("--list").to_list())
    return ask


login("gmodern", analyst("password", "ann"), username="ann", password=password)
login("gmodern", analyst("token", "eve"), username="eve", password=token)
login("gmodern", analyst("token without name", "eve"), username="token", password=token)
login("gmodern", analyst("token in the handshake", "eve"), headers={"Authorization": "Bearer " + token})
for name, how in {"wrong password": ("ann", "wrong"), "ended token": ("eve", ended), "foreign token": ("eve", foreign), "another's token": ("ann", token)}.items():
    login("gmodern", lambda g: refused(name, 401, "Username and/or password are incorrect", lambda: g.V().count().next()),
          username=how[0], password=how[1])


def shop(g):
    refused("a graph that is there", 499, "The traversal source [gmodern] for alias [g] is not configured on the server.", lambda: g.V().count().next())


def nothing(g):
    refused("a graph that is not there", 499, "The traversal source [zeta/x] for alias [g] is not configured on the server.", lambda: g.V().count().next())


login("gmodern", shop, username="shop-app", password=password)
login("zeta/x", nothing, username="shop-app", password=password)
print("done")
