package dev.chargehand.tests.kill;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that runs the crew and is killed at a moment; it prints every event it is told, so that all are known. */
final class KilledProcess {

    static final String HOLDING = "HOLDING";

    private KilledProcess() {}

    /** Runs in the process: database, ledger, model server, moment. */
    public static void main(String[] arguments) {
        Moment moment = new Moment(arguments[3]);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(new HoldingStore(JdbcStore.sqlite(Path.of(arguments[0])), moment))
                .providers(Crew.models(arguments[2]))
                .agents(Crew.supervisor(Path.of(arguments[1]), moment))
                .build()) {
            try (RunStream run = runtime.agent("supervisor").stream(
                    "Go", o -> o.thread("t").resource("u").idempotencyKey("key"))) {
                for (RunEvent event : run) {
                    System.out.println(event.toJson());
                    System.out.flush();
                    moment.reach(Moment.SEEN + event.type());
                }
            }
            runtime.recover().await();
        }
    }

    /** Starts the process, kills it when it holds, and returns the events it had told. */
    static List<String> runAndKill(Path database, Path ledger, String baseUrl, String moment) throws IOException {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        KilledProcess.class.getName(),
                        database.toString(),
                        ledger.toString(),
                        baseUrl,
                        moment)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> events = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.equals(HOLDING)) {
                    process.destroyForcibly(); // SIGKILL
                    break;
                }
                events.add(line);
            }
        } finally {
            process.destroyForcibly().onExit().join();
        }
        return events;
    }
}
