package dev.chargehand.verify.soak;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.SplittableRandom;

/** The runs of the soak, through the public API only. */
final class SoakRuns {

    private static final List<String> FAULTS = List.of("cut", "silent", "overloaded");

    private final AgentRuntime runtime;
    private final Tool look = Tool.of("look", "Looks.", Query.class, (in, context) -> "seen " + in.query());

    SoakRuns(AgentRuntime runtime) {
        this.runtime = runtime;
    }

    /** Make the agent whose runs wait for approvals; the runtime is to have it. */
    static Agent careful() {
        Tool pay = Tool.builder("pay", "Pays.")
                .input(Query.class)
                .requiresApproval()
                .handler((in, context) -> "paid " + in.query())
                .build();
        Agent payer = Agent.builder("payer")
                .description("Pays bills.")
                .model("loop/payer")
                .tools(pay)
                .build();
        return Agent.builder("careful").model("loop/careful").agents(payer).build();
    }

    /** What the tool takes. */
    record Query(String query) {}

    /** Run one, and return what is wrong with its end; empty if nothing is. */
    String run(Traffic kind, SplittableRandom random) {
        return switch (kind) {
            case PLAIN -> ends(plain("plain"), random.nextBoolean(), RunStatus.COMPLETED, "Seen it.");
            case DELEGATION -> ends(supervisor(), random.nextBoolean(), RunStatus.COMPLETED, "All done.");
            case APPROVAL -> waiting(random.nextInt(3));
            case ABORT -> aborted();
            case FAULT -> faulty(FAULTS.get(random.nextInt(FAULTS.size())));
        };
    }

    private Agent plain(String model) {
        return runtime.bind(Agent.builder("plain")
                .description("Looks things up.")
                .model("loop/" + model)
                .tools(look)
                .build());
    }

    private Agent supervisor() {
        return runtime.bind(Agent.builder("supervisor")
                .model("loop/supervisor")
                .agents(plain("plain"))
                .build());
    }

    private static String ends(Agent agent, boolean streamed, RunStatus status, String text) {
        RunResult result;
        if (streamed) {
            try (RunStream run = agent.stream("Go")) {
                for (RunEvent event : run) {
                    if (event.runId().value().isEmpty()) {
                        return "an event of no run";
                    }
                }
                result = run.result();
            }
        } else {
            result = agent.generate("Go");
        }
        return result.status() == status && result.text().equals(text) ? "" : result.stopReason() + " " + result.text();
    }

    private String waiting(int answer) {
        RunResult result = runtime.agent("careful").generate("Go");
        if (result.status() != RunStatus.SUSPENDED) {
            return result.stopReason().toString();
        }
        PendingApproval approval = result.pendingApprovals().getFirst();
        if (answer == 0) {
            return ""; // and nobody ever answers
        }
        RunResult end = answer == 1
                ? runtime.approve(approval, Approver.of("ann")).result()
                : runtime.decline(approval, Approver.of("ann"), "no").result();
        return end.status() == RunStatus.COMPLETED && end.text().equals("All done.")
                ? ""
                : end.stopReason().toString();
    }

    private String aborted() {
        try (RunStream run = plain("endless").stream("Go")) {
            for (RunEvent event : run) {
                if (event instanceof RunEvent.TextDelta) {
                    run.cancel();
                }
            }
            RunResult result = run.result();
            return result.status() == RunStatus.ABORTED
                    ? ""
                    : result.stopReason().toString();
        }
    }

    private String faulty(String model) {
        try {
            RunResult result = plain(model).generate("Go", options -> options.retries(0));
            return model.equals("silent") && result.status() == RunStatus.INCOMPLETE
                    ? ""
                    : result.stopReason().toString();
        } catch (RunFailedException e) {
            return model.equals("silent") ? e.code() : "";
        }
    }
}
