package dev.chargehand.cli;

import com.sun.net.httpserver.HttpServer;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Signals;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/**
 * {@code chargehand rehearse}: makes runs that leave nothing behind, in a folder of its own and with a model that
 * answers on this machine.
 *
 * <p>The launcher lets the JDK record the classes they need, so that later commands start faster; only the launcher
 * calls it.
 */
@Command(name = "rehearse", hidden = true, description = "Run an example without storing anything.")
final class RehearseCommand implements Callable<Integer> {

    private static final String QUESTION = "How does a supervisor hand work to a sub-agent?";
    private static final String DOCUMENT = "# Delegation\n\nA supervisor hands work to a sub-agent as a tool call.\n";
    private static final String ANSWER = """
            data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":"As a"}}]}

            data: {"id":"1","choices":[{"index":0,"delta":{"content":" tool call."},"finish_reason":"stop"}]}

            data: {"id":"1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}

            data: [DONE]

            """;

    private final Shell shell;

    RehearseCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("chargehand-rehearsal");
        HttpServer server = server();
        try {
            Files.writeString(folder.resolve("delegation.md"), DOCUMENT);
            Files.writeString(
                    folder.resolve("chargehand.yaml"), crew(server.getAddress().getPort()));
            Shell silent = new Shell(
                    InputStream.nullInputStream(),
                    new PrintWriter(Writer.nullWriter()),
                    new PrintWriter(Writer.nullWriter()),
                    name -> null,
                    folder,
                    Signals.none(),
                    null,
                    shell.user());
            List<List<String>> commands = List.of(
                    List.of("init", "starter"),
                    List.of("check"),
                    List.of("run", QUESTION),
                    List.of("run", QUESTION, "--agent", "writer", "--thread", "t", "--store", "runs.db", "--events"),
                    List.of("chat", "--agent", "writer", "--thread", "t", "--store", "runs.db"),
                    List.of("runs", "--store", "runs.db"));
            for (List<String> command : commands) {
                int code = Main.commandLine(silent).execute(command.toArray(String[]::new));
                if (code != ExitCode.COMPLETED) {
                    // no constant: it would have the log read its settings before a command makes them
                    LoggerFactory.getLogger(RehearseCommand.class)
                            .debug("rehearsing {} ended with {}", command.getFirst(), code);
                    return code;
                }
            }
            return ExitCode.COMPLETED;
        } finally {
            server.stop(0);
            delete(folder);
        }
    }

    private static HttpServer server() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] answer = ANSWER.getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
        return server;
    }

    private static String crew(int port) {
        return """
                model: offline
                docs: .
                default: supervisor
                providers:
                  rehearsal: { baseUrl: "http://127.0.0.1:%d/v1" }
                agents:
                  supervisor:
                    instructions: You answer questions.
                    agents: [librarian]
                  librarian:
                    description: Finds passages. Give it the whole question.
                    instructions: Search for the words of the question.
                    tools: [search-files]
                  writer:
                    description: Writes.
                    instructions: Write briefly.
                    model: rehearsal/writer
                """.formatted(port);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
