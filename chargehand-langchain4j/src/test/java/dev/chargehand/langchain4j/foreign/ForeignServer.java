package dev.chargehand.langchain4j.foreign;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * MockServer in a process of its own, on a port of this machine: it reads requests and writes streams of chat
 * completions by its own code, and answers 404 to what it has no answer for.
 */
final class ForeignServer implements AutoCloseable {

    private static final Path HOME = Path.of("target", "foreign-server").toAbsolutePath();
    private static final Path LOG = HOME.resolve("server.log");
    private static final Pattern STARTED = Pattern.compile("started on port: (\\d+)\\s");

    private final HttpClient control = HttpClient.newHttpClient();
    private final Process process;
    private final Thread stopAtExit;
    private final int port;

    private ForeignServer(Process process, int port) {
        this.process = process;
        this.port = port;
        this.stopAtExit = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(stopAtExit);
    }

    /** Starts the server and waits until it listens. */
    static ForeignServer start() throws IOException {
        Path jar = HOME.resolve("mockserver.jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException(
                    jar + " is not there: Maven puts it there before the tests of this module.");
        }
        ProcessBuilder builder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dmockserver.localBoundIP=127.0.0.1",
                        "-Dmockserver.attemptToProxyIfNoMatchingExpectation=false",
                        "-jar",
                        jar.toString(),
                        "-serverPort",
                        "0",
                        "-logLevel",
                        "INFO")
                .directory(HOME.toFile())
                .redirectErrorStream(true)
                .redirectOutput(LOG.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MOCKSERVER_"));
        Process process = builder.start();
        return new ForeignServer(process, portOf(process));
    }

    /** Waits until the server names its port in its log. */
    private static int portOf(Process process) throws IOException {
        while (true) {
            boolean running = process.isAlive();
            String log = Files.readString(LOG);
            Matcher started = STARTED.matcher(log);
            if (started.find()) {
                return Integer.parseInt(started.group(1));
            }
            if (!running) {
                throw new IllegalStateException("The server did not start: " + log);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    int port() {
        return port;
    }

    /** Forgets all answers and requests, then knows these answers; the first that fits a request is given. */
    void answers(List<Answer> answers) throws IOException {
        put("reset", "");
        put(
                "expectation",
                Json.of(answers.stream().map(Answer::expectation).toList()).text());
    }

    /** Returns the requests that came, in order. */
    List<WireRequest> received() throws IOException {
        Json requests = Json.parse(put("retrieve?type=REQUESTS&format=JSON", ""));
        return Stream.of(requests.as(Json[].class))
                .map(request -> WireRequest.of(request.at("/body").orElseThrow()))
                .toList();
    }

    private String put(String operation, String body) throws IOException {
        try {
            HttpResponse<String> response = control.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/mockserver/" + operation))
                            .PUT(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new IllegalStateException(operation + " gave " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted.", e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        control.close();
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        Runtime.getRuntime().removeShutdownHook(stopAtExit);
    }
}
