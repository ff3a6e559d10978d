import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.MonthDay;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Channelizer;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.RequestOptions;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.Bindings;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.BulkSet;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.Tree;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;

/**
 * gremlin-driver against a server: java Driver.java PORT [--http]
 *
 * With --http there are no sessions, and the driver makes 500 of every error's status.
 * Prints a line per check, and one for each section that failed. When it prints
 * "restart", the server is killed and started again on the same port; a line on
 * standard input says that it is back.
 */
public class Driver {
    static int port;
    static boolean http;

    static void check(String name, Object got, Object want) {
        if (!Objects.equals(got, want)) {
            throw new IllegalStateException(name + ": got " + got + ", want " + want);
        }
        System.out.println("ok " + name);
    }

    static Cluster.Builder build() {
        Cluster.Builder b = Cluster.build("localhost").port(port);
        return http ? b.channelizer(Channelizer.HttpChannelizer.class) : b;
    }

    static Cluster cluster() {
        return build().create();
    }

    static GraphTraversalSource source(Cluster cluster, String name) {
        return traversal().withRemote(DriverRemoteConnection.using(cluster, name));
    }

    static void fill(GraphTraversalSource g) {
        g.V().drop().iterate();
        Vertex marko = g.addV("person").property("name", "marko").property("age", 29).next();
        Vertex josh = g.addV("person").property("name", "josh").property("age", 32).next();
        g.addE("knows").from(__.V(marko.id())).to(__.V(josh.id())).property("weight", 0.5d).iterate();
        check("count", g.V().count().next(), 2L);
        check("out", g.V(marko.id()).out("knows").values("name").toList(), List.of("josh"));
        check("order", g.V().order().by("age", Order.desc).values("name").toList(), List.of("josh", "marko"));
        check("predicate", g.V().has("age", P.gt(30)).values("name").toList(), List.of("josh"));
        Vertex vertex = g.V(marko.id()).next();
        List<Object> properties = new ArrayList<>();
        vertex.properties().forEachRemaining((VertexProperty<Object> p) -> properties.add(p.key() + "=" + p.value()));
        check("vertex with properties", properties, List.of("name=marko", "age=29"));
        Edge edge = g.E().next();
        check("edge", List.of(edge.outVertex().id(), edge.label(), edge.inVertex().id()), List.of(marko.id(), "knows", josh.id()));
        Path path = g.V(marko.id()).out().path().by("name").next();
        check("path", path.objects(), List.of("marko", "josh"));
        check("map", g.V().groupCount().by(T.label).next(), Map.of("person", 2L));
        check("tree", g.V(marko.id()).out().tree().by("name").next().toString(), "{marko={josh={}}}");
    }

    static void types(GraphTraversalSource g) throws Exception {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("byte", (byte) -3);
        values.put("short", (short) 12);
        values.put("int", 1);
        values.put("long", 1L << 40);
        values.put("big integer", BigInteger.ONE.shiftLeft(80).negate());
        values.put("float", 0.3f);
        values.put("double", 1.5d);
        values.put("NaN", Double.NaN);
        values.put("big decimal", new BigDecimal("1.250"));
        values.put("char", '\ue000');
        values.put("string", "\u00fc\ud83d\ude00");
        values.put("empty string", "");
        values.put("boolean", true);
        values.put("uuid", new UUID(1, 2));
        values.put("bytes", ByteBuffer.wrap(new byte[] {1, 2, 3}));
        values.put("offset datetime", OffsetDateTime.parse("2024-02-29T12:30:15.123456+02:00"));
        values.put("instant", Instant.parse("2024-02-29T12:30:15.123456Z"));
        values.put("date", new java.util.Date(1709202615123L));
        values.put("timestamp", new java.sql.Timestamp(1709202615123L));
        values.put("local date", LocalDate.parse("2024-02-29"));
        values.put("local datetime", LocalDateTime.parse("2024-02-29T12:30:15.123"));
        values.put("local time", LocalTime.parse("12:30:15.123"));
        values.put("duration", Duration.ofMillis(90500));
        values.put("year", Year.of(2024));
        values.put("year and month", YearMonth.of(2024, 2));
        values.put("month and day", MonthDay.of(2, 29));
        values.put("period", Period.of(1, -2, 3));
        values.put("zone offset", ZoneOffset.ofHoursMinutes(-5, -30));
        values.put("offset time", OffsetTime.parse("12:30:15.123+02:00"));
        values.put("zoned datetime", ZonedDateTime.parse("2024-02-29T12:30:15.123+02:00"));
        values.put("address", InetAddress.getByName("127.0.0.1"));
        values.put("class", String.class);
        values.put("enum", Order.desc);
        for (Map.Entry<String, Object> e : values.entrySet()) {
            check("inject " + e.getKey(), g.inject(e.getValue()).next(), e.getValue());
        }
        Vertex v = g.addV("types").next();
        for (Map.Entry<String, Object> e : values.entrySet()) {
            g.V(v.id()).property(e.getKey(), e.getValue()).iterate();
            check("property " + e.getKey(), g.V(v.id()).values(e.getKey()).next(), e.getValue());
        }
        check("inject list", g.inject(Arrays.asList(1, "two", List.of(3d))).next(), Arrays.asList(1, "two", List.of(3d)));
        check("inject set", g.inject(new HashSet<>(List.of(1, 2))).next(), new HashSet<>(List.of(1, 2)));
        check("inject map", g.inject(Map.of("a", 1)).next(), Map.of("a", 1));
        check("null", g.inject((Object) null).toList(), Collections.singletonList(null));
    }

    static void shapes(Cluster cluster) {
        GraphTraversalSource g = source(cluster, "gmodern");
        check("bulk set", ((BulkSet<?>) g.V().both().aggregate("x").by(T.label).cap("x").next()).asBulk(), Map.of("software", 4L, "person", 8L));
        check("set", g.V().values("age").fold().dedup(Scope.local).next(), new LinkedHashSet<>(List.of(29, 27, 32, 35)));
        check("tree", ((Tree<?>) g.V(1).out("created").tree().next()).getObjectsAtDepth(2).size(), 1);
        Graph sub = (Graph) g.E().hasLabel("knows").subgraph("x").cap("x").next();
        check("subgraph", List.of(sub.traversal().V().count().next(), sub.traversal().E().count().next()), List.of(3L, 2L));
        TraversalMetrics metrics = g.V().out().profile().next();
        check("metrics", metrics.getMetrics().size() > 0 && metrics.getDuration(TimeUnit.NANOSECONDS) > 0, true);
        check("explain", g.V().out().explain().prettyPrint().contains("Final Traversal"), true);
        check("vertex property", g.V(1).properties("name").next().toString(), "vp[name->marko]");
        check("edge property", g.E(7).properties().next().toString(), "p[weight->0.5]");
        check("labelled path", g.V(1).as("a").out("created").as("b", "c").path().next().labels(), List.of(Set.of("a"), Set.of("b", "c")));
        Vertex crew = source(cluster, "gcrew").V(7).next();
        List<Object> places = new ArrayList<>();
        crew.properties("location").forEachRemaining(p -> places.add(List.of(p.value(), p.property("startTime").value())));
        check("meta-properties", places, List.of(List.of("centreville", 1990), List.of("dulles", 2000), List.of("purcellville", 2006)));
        check("bulk", g.V().both().barrier().both().count().next(), 30L);
        check("promise", g.V().count().promise(t -> t.next()).join(), 6L);
    }

    static void lambdas(Cluster cluster) {
        GraphTraversalSource g = source(cluster, "gmodern");
        Integer one = Bindings.instance().of("x", 1);
        check("binding", g.V(one).values("name").next(), "marko");
        check("lambda", g.V(1).map(Lambda.function("it.get().value('name')")).next(), "marko");
        check("comparator", g.V().values("age").order().by(Lambda.comparator("x, y -> y <=> x")).toList(), List.of(35, 32, 29, 27));
    }

    static void transactions(Cluster cluster) {
        GraphTraversalSource g = source(cluster, "gtx");
        g.V().drop().iterate();
        Transaction tx = g.tx();
        GraphTraversalSource inside = tx.begin();
        inside.addV("tx").iterate();
        check("own write is seen inside", inside.V().count().next(), 1L);
        check("and not outside", g.V().count().next(), 0L);
        tx.commit();
        check("but after commit", g.V().count().next(), 1L);
        tx = g.tx();
        inside = tx.begin();
        inside.addV("tx").iterate();
        tx.rollback();
        check("rollback", g.V().count().next(), 1L);
    }

    static Object one(Client client, String script) throws Exception {
        return client.submit(script).all().get().get(0).getObject();
    }

    static void sessions(Cluster cluster) throws Exception {
        Client client = cluster.connect("java");
        check("session assignment", one(client, "x = 1 + 1"), 2);
        check("session variable", one(client, "x * 2"), 4);
        client.close();
    }

    static void refused(String name, int code, Callable<?> run) throws Exception {
        try {
            run.call();
        } catch (Exception e) {
            for (Throwable t = e; t != null; t = t.getCause()) {
                if (t instanceof ResponseException) {
                    ResponseException r = (ResponseException) t;
                    check(name, r.getResponseStatusCode().getValue(), http ? 500 : code);
                    return;
                }
            }
            throw e;
        }
        throw new IllegalStateException(name + ": no error");
    }

    static void errors(Cluster cluster, GraphTraversalSource g) throws Exception {
        Client client = cluster.connect().alias("gmodern");
        refused("script error", 597, () -> client.submit("1/0").all().get());
        refused("fail()", 595, () -> g.inject(1).fail("stop").iterate());
        String endless = "g.inject(1).repeat(identity()).until(is(2))";
        RequestOptions soon = RequestOptions.build().timeout(200).create();
        refused("timeout", 598, () -> client.submit(endless, soon).all().get());
        check("still usable", one(client, "g.V().count()"), 6L);
        client.close();
    }

    static void many() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(16);
        List<Future<Long>> counts = new ArrayList<>();
        Cluster cluster = build().minConnectionPoolSize(8).maxConnectionPoolSize(32).create();
        GraphTraversalSource g = source(cluster, "gmodern");
        for (int i = 0; i < 320; i++) {
            counts.add(pool.submit(() -> g.V().count().next()));
        }
        long sum = 0;
        for (Future<Long> c : counts) {
            sum += c.get();
        }
        check("many connections", sum, 1920L);
        cluster.close();
        pool.shutdown();
    }

    static void graphson() {
        Cluster cluster = build().serializer(new GraphSONMessageSerializerV3()).create();
        check("GraphSON 3", new HashSet<>(source(cluster, "gmodern").V().values("name").toList()),
                new HashSet<>(List.of("josh", "lop", "marko", "peter", "ripple", "vadas")));
        cluster.close();
    }

    static void restart(Cluster cluster) throws Exception {
        GraphTraversalSource g = source(cluster, "g");
        g.addV("kept").iterate();
        System.out.println("restart");
        System.in.read();
        for (int attempt = 0;; attempt++) {
            try {
                check("acknowledged write after kill -9", g.V().hasLabel("kept").count().next(), 1L);
                return;
            } catch (Exception e) {
                if (attempt == 20) {
                    throw e;
                }
                System.out.println("reconnect " + e);
                Thread.sleep(500);
            }
        }
    }

    public static void main(String[] args) {
        try {
            run(args);
        } catch (Throwable t) {
            System.err.println(t + (t.getCause() == null ? "" : " because of " + t.getCause()));
            System.exit(1);
        }
        System.exit(0);
    }

    static void run(String[] args) throws Exception {
        port = Integer.parseInt(args[0]);
        http = Arrays.asList(args).contains("--http");
        Cluster cluster = cluster();
        GraphTraversalSource g = source(cluster, "g");
        section("fill", () -> fill(g));
        section("types", () -> types(g));
        section("shapes", () -> shapes(cluster));
        section("lambdas", () -> lambdas(cluster));
        if (!http) {
            section("transactions", () -> transactions(cluster));
            section("sessions", () -> sessions(cluster));
        }
        section("errors", () -> errors(cluster, g));
        section("many", () -> many());
        section("graphson", () -> graphson());
        if (!Arrays.asList(args).contains("--no-restart")) {
            section("restart", () -> restart(cluster));
        }
        cluster.close();
        System.out.println("done");
        System.exit(0);
    }

    interface Section {
        void run() throws Exception;
    }

    static void section(String name, Section s) {
        try {
            s.run();
        } catch (Exception e) {
            e.printStackTrace();
            System.out.println("FAILED " + name + " " + e.toString().replace('\n', ' '));
        }
    }
}
