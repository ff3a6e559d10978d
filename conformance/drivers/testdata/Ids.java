import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** gremlin-driver on the default graph: what it was given finds its element again: java Ids.java PORT */
public class Ids {
    static void check(String name, Object got, Object want) {
        if (!want.equals(got)) {
            throw new IllegalStateException(name + ": got " + got + ", want " + want);
        }
        System.out.println("ok " + name);
    }

    static void element(GraphTraversalSource g, String name, Vertex v, Object... same) {
        check(name + " by its id", g.V(v.id()).count().next(), 1L);
        for (Object id : same) {
            check(name + " by " + id.getClass().getSimpleName(), g.V(id).id().toList(), List.of(v.id()));
        }
        check(name + " by itself", g.V(v).count().next(), 1L);
        check(name + " hasId", g.V().hasId(v.id()).count().next(), 1L);
        check(name + " has(T.id, within)", g.V().has(T.id, P.within(v.id())).count().next(), 1L);
        check(name + " is", g.V().is(v).id().toList(), List.of(v.id()));
        check(name + " within", g.V().is(P.within(v)).count().next(), 1L);
        check(name + " neq", g.V().is(P.neq(v)).count().next(), g.V().count().next() - 1);
        check(name + " choose", g.V(v).choose(__.identity()).option(v, __.constant("it")).toList(), List.of("it"));
        check(name + " intersect", g.V().fold().intersect(List.of(v)).unfold().count().next(), 1L);
        check(name + " mergeV", g.mergeV(Map.of(T.id, v.id())).id().next(), v.id());
        Edge e = g.addE("self").from(v).to(v).next();
        check(name + " edge by its id", g.E(e.id()).count().next(), 1L);
        check(name + " edge by itself", g.E(e).count().next(), 1L);
        check(name + " edge is", g.V(v).outE().is(e).count().next(), 1L);
        check(name + " connected", g.V(v).out("self").is(v).count().next(), 1L);
        g.V(v).drop().iterate();
        check(name + " gone", g.V(v.id()).count().next(), 0L);
    }

    static Vertex add(GraphTraversalSource g, Object id) {
        return g.addV("x").property(T.id, id).next();
    }

    static void run(GraphTraversalSource g) {
        g.V().drop().iterate();
        g.addV("other").iterate();
        for (int n = 0; n < 2; n++) {
            Vertex v = g.addV("x").next();
            element(g, "generated " + n, v, ((Number) v.id()).intValue());
        }
        Object[] widths = {77, 77L, (short) 77, (byte) 77, BigInteger.valueOf(77)};
        for (Object id : widths) {
            Vertex v = add(g, id);
            check("comes back as " + id.getClass().getSimpleName(), v.id(), id);
            element(g, id.getClass().getSimpleName(), v, widths);
        }
        Map<String, Object> ids = new LinkedHashMap<>();
        ids.put("beyond 32 bits", 1L << 40);
        ids.put("beyond 64 bits", BigInteger.ONE.shiftLeft(80));
        ids.put("text", "one");
        ids.put("digits", "77");
        ids.put("uuid", new UUID(1, 2));
        ids.put("double", 1.5d);
        ids.put("decimal", new BigDecimal("2.25"));
        ids.put("date", new java.util.Date(1709202615123L));
        ids.forEach((name, id) -> element(g, name, add(g, id)));
    }

    public static void main(String[] args) {
        try {
            Cluster cluster = Cluster.build("localhost").port(Integer.parseInt(args[0])).create();
            run(traversal().withRemote(DriverRemoteConnection.using(cluster, "g")));
            cluster.close();
        } catch (Throwable t) {
            System.err.println(t);
            System.exit(1);
        }
        System.out.println("done");
        System.exit(0);
    }
}
