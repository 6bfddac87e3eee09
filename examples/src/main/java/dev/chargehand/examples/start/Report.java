package dev.chargehand.examples.start;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;

/** A workflow that survives its process: without an argument it starts a run, with "recover" it continues what was interrupted. */
public final class Report {

    private Report() {}

    static Workflow<String, String> workflow(Duration delay) {
        Step<String, Integer> collect = Step.of("collect", String.class, Integer.class, (day, context) -> {
            System.out.println("collects the orders of " + day);
            return 3;
        });
        Step<Integer, String> send = Step.of("send", Integer.class, String.class, (orders, context) -> {
                    System.out.println(
                            "sends in process " + ProcessHandle.current().pid());
                    Thread.sleep(delay);
                    return "Sent: " + orders + " orders";
                })
                .repeatable();
        return Workflow.from("report", String.class).then(collect).then(send).build(String.class);
    }

    public static void main(String[] arguments) {
        boolean recover = arguments.length > 0;
        Workflow<String, String> report = workflow(recover ? Duration.ZERO : Duration.ofMinutes(5));
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(Path.of("reports.db")))
                .workflows(report)
                .build()) {
            if (recover) {
                for (RunResult result : runtime.recover().await()) {
                    System.out.println(result.status() + " " + result.object(String.class));
                }
            } else {
                System.out.println(runtime.run(report, "Monday", o -> {}).output());
            }
        }
    }
}
