import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** gremlin-driver over TLS with a name and a password: java Auth.java PORT NAME PASSWORD */
public class Auth {
    static Cluster cluster(String[] args, String password) {
        return Cluster.build("localhost").port(Integer.parseInt(args[0])).enableSsl(true).sslSkipCertValidation(true)
                .credentials(args[1], password).maxConnectionPoolSize(1).minConnectionPoolSize(1).create();
    }

    public static void main(String[] args) throws Exception {
        Cluster cluster = cluster(args, args[2]);
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
        cluster = cluster(args, "wrong");
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
        if (!refused.equals("401 Username and/or password are incorrect")) {
            throw new IllegalStateException("wrong password: " + refused);
        }
        System.out.println("ok wrong password");
        cluster.close();
        System.out.println("done");
        System.exit(0);
    }
}
