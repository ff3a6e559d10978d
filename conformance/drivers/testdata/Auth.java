import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.tinkerpop.gremlin.driver.Channelizer;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;

/** gremlin-driver over TLS with a name and a password: java Auth.java PORT NAME PASSWORD */
public class Auth {
    static Cluster.Builder build(String[] args) {
        return Cluster.build("localhost").port(Integer.parseInt(args[0])).enableSsl(true).sslSkipCertValidation(true)
                .maxConnectionPoolSize(1).minConnectionPoolSize(1);
    }

    /** Over HTTP the driver has no credentials of its own: the header is the caller's to set, on each request. */
    static Cluster http(String[] args, MessageSerializer<?> serializer, String password) {
        String header = "Basic " + Base64.getEncoder().encodeToString((args[1] + ":" + password).getBytes(StandardCharsets.UTF_8));
        return build(args).channelizer(Channelizer.HttpChannelizer.class).serializer(serializer).requestInterceptor(request -> {
            if (!password.isEmpty()) {
                request.headers().set("Authorization", header);
            }
            return request;
        }).create();
    }

    public static void main(String[] args) throws Exception {
        login(build(args).credentials(args[1], args[2]).create());
        refuse("wrong password", build(args).credentials(args[1], "wrong").create(), 401);
        for (MessageSerializer<?> s : List.of(new GraphBinaryMessageSerializerV1(), new GraphSONMessageSerializerV3())) {
            login(http(args, s, args[2]));
            refuse("wrong password over HTTP", http(args, s, "wrong"), 500);
            refuse("no password over HTTP", http(args, s, ""), 500);
        }
        System.out.println("done");
        System.exit(0);
    }

    static void login(Cluster cluster) throws Exception {
        GraphTraversalSource g = traversal().withRemote(DriverRemoteConnection.using(cluster, "gmodern"));
        List<CompletableFuture<Long>> counts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            counts.add(g.V().count().promise(t -> t.next()));
        }
        for (CompletableFuture<Long> c : counts) {
            if (c.get() != 6) {
                throw new IllegalStateException("count " + c.get());
            }
        }
        System.out.println("ok ten at once");
        cluster.close();
    }

    /** The driver makes 500 of every error's status over HTTP. */
    static void refuse(String name, Cluster cluster, int code) {
        String refused = "accepted";
        try {
            cluster.connect().submit("1+1").all().get();
        } catch (Exception e) {
            for (Throwable t = e; t != null; t = t.getCause()) {
                if (t instanceof ResponseException) {
                    refused = ((ResponseException) t).getResponseStatusCode().getValue() + " " + t.getMessage();
                }
            }
        }
        if (!refused.equals(code + " Username and/or password are incorrect")) {
            throw new IllegalStateException(name + ": " + refused);
        }
        System.out.println("ok " + name);
        cluster.close();
    }
}
