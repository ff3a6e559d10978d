import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs the program of docs/time.md that follows what changes, which the test puts in the place of a
 * line below.
 *
 *     java Follow ws://localhost:8182/gremlin
 *
 * The server is killed while it follows. What fails begins with FAILED.
 */
public class Follow {
    // program

    static final Pattern VALUE = Pattern.compile("\"op\":\"set\"[^}]*\"value\":(\\d+)");
    static final BlockingQueue<String> commits = new LinkedBlockingQueue<>();

    static void ask(String url, String gremlin) throws Exception {
        var body = "{\"gremlin\": \"" + gremlin + "\", \"aliases\": {\"g\": \"gmodern\"}}";
        var request = HttpRequest.newBuilder(URI.create(url + "/gremlin")).header("Content-Type", "application/json");
        var answer = HttpClient.newHttpClient().send(request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IOException(answer.body());
    }

    static void expect(String number) throws Exception {
        var commit = commits.poll(60, TimeUnit.SECONDS);
        var value = VALUE.matcher(commit == null ? "" : commit);
        System.out.println((value.find() && value.group(1).equals(number) && !value.find() ? "ok " : "FAILED ") + commit);
    }

    public static void main(String[] args) throws Exception {
        var url = args[0].replace("ws://", "http://").replace("/gremlin", "");
        ask(url, "g.call('gremlind.graph.set', [name: 'modern', history: 'forever'])");
        var follower = new Thread(() -> {
            try {
                follow(url, "gmodern", "", commits::add);
            } catch (Exception e) {
                System.out.println("FAILED " + e);
            }
        });
        follower.setDaemon(true);
        follower.start();
        ask(url, "g.addV('x').property('n', 1)");
        expect("1");
        if (!List.of(args).contains("--no-restart")) {
            System.out.println("restart");
            System.in.read();
        }
        ask(url, "g.addV('x').property('n', 2)");
        expect("2");
        System.out.println("done");
    }
}
