package dev.chargehand.server.internal.wire;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Events of runs, recorded as they happened: each list ends with the last event of its stream. */
public final class RecordedRuns {

    /**
     * A run that was recorded.
     *
     * @param live its events as a reader received them
     * @param stored its events as the store tells them
     * @param suspensions how many suspensions are among them
     */
    public record Recorded(String name, RunId root, List<RunEvent> live, List<RunEvent> stored, int suspensions) {

        @Override
        public String toString() {
            return name;
        }
    }

    record Order(int amount) {}

    private RecordedRuns() {}

    /** Record runs of agents and networks, and one of an agent that calls a workflow. */
    public static List<Recorded> all() {
        return Stream.of(agents(), networks(), List.of(ofWorkflow()))
                .flatMap(List::stream)
                .toList();
    }

    /** Record the run of an agent that calls a workflow, whose step is an agent with a call that waits. */
    public static Recorded ofWorkflow() {
        Script script = ScriptedModel.script();
        script.on("buyer").calls("workflow-buying", Map.of("amount", 2)).then().says("Bought.");
        script.on("payer").calls("pay", Map.of("amount", 2)).then().streams("Paid ", "two.");
        Agent payer = agent(script, "payer").description("Pays.").tools(pay()).build();
        Workflow<Order, String> buying = Workflow.from("buying", Order.class)
                .description("Buys.")
                .then(payer.asStep("pays", Order.class, (order, context) -> "Pay " + order.amount()))
                .build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .agents(agent(script, "buyer").workflows(buying).build())
                .anyoneMayApprove()
                .build()) {
            return record(runtime, runtime.agent("buyer"));
        }
    }

    /** Record networks: one that chooses an agent whose call waits, one that chooses a tool that waits, and one that answers itself. */
    @SuppressWarnings("deprecation") // networks are what is recorded
    public static List<Recorded> networks() {
        Script script = ScriptedModel.script();
        String done = Json.of(Map.of("isComplete", true, "completionReason", "ok", "finalResult", ""))
                .text();
        script.on("desk").says(decision("clerk", "agent", "Pay.")).then().says(done);
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().streams("Paid ", "it.");
        script.on("cashier")
                .says("What?") // is returned to it
                .then()
                .says(decision("pay", "tool", "{\"amount\":7}"))
                .then()
                .says(done);
        script.on("host").says(decision("none", "none", "Welcome."));
        Agent clerk = agent(script, "clerk").description("Pays.").tools(pay()).build();
        List<Recorded> recorded = new ArrayList<>();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .agents(
                        agent(script, "desk").agents(clerk).build(),
                        agent(script, "cashier").tools(pay()).build(),
                        agent(script, "host").build())
                .anyoneMayApprove()
                .build()) {
            for (String id : List.of("desk", "cashier", "host")) {
                recorded.add(record(runtime, runtime.agent(id).asNetwork()));
            }
        }
        return recorded;
    }

    private static String decision(String id, String type, String prompt) {
        return Json.of(Map.of(
                        "primitiveId", id, "primitiveType", type, "prompt", prompt, "selectionReason", "It fits."))
                .text();
    }

    /** Record runs of agents. */
    public static List<Recorded> agents() {
        Script script = ScriptedModel.script();
        script.on("text").reasons("Hm.").and().streams("One ", "two.");
        script.on("boss")
                .says("I ask.")
                .and()
                .delegates("clerk", "Pay.")
                .and()
                .calls("pay", Map.of("amount", 1))
                .then()
                .says("All done.");
        script.on("clerk")
                .calls("pay", Map.of("amount", 7))
                .inPiecesOf(3)
                .then()
                .says("Paid.");
        ModelException broken = new ModelException(ModelException.Kind.CONNECTION, "It broke.", null);
        script.on("retry").streams("Half ").and().failsWith(broken).then().streams("Half ", "whole.");
        script.on("other").streams("Half ").and().failsWith(broken).then().says("Another.");
        script.on("failing")
                .streams("Half ")
                .and()
                .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No key.", null));
        Agent clerk = agent(script, "clerk").description("Pays.").tools(pay()).build();
        List<Recorded> recorded = new ArrayList<>();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .agents(
                        agent(script, "text").build(),
                        agent(script, "boss").agents(clerk).tools(pay()).build(),
                        agent(script, "retry").build(),
                        agent(script, "other").build(),
                        agent(script, "failing").build())
                .anyoneMayApprove()
                .build()) {
            for (String id : List.of("text", "boss", "retry", "other", "failing")) {
                recorded.add(record(runtime, runtime.agent(id)));
            }
        }
        return recorded;
    }

    private static dev.chargehand.AgentBuilder agent(Script script, String id) {
        return Agent.builder(id).model(script.modelFor(id));
    }

    private static Tool pay() {
        return Tool.builder("pay", "Pays an order.")
                .input(Order.class)
                .requiresApproval()
                .handler((order, context) -> "paid " + order.amount())
                .build();
    }

    private static Recorded record(AgentRuntime runtime, Agent agent) {
        RunHandle run = agent.start("Please.");
        List<RunEvent> live = new ArrayList<>();
        Set<String> answered = new HashSet<>();
        int suspensions = 0;
        try (var events = run.events()) {
            for (RunEvent event : events) {
                live.add(event);
                if (event instanceof RunEvent.RunSuspend suspend
                        && event.runId().equals(run.runId())) {
                    suspensions++;
                    for (PendingApproval pending : suspend.pending()) {
                        if (answered.add(pending.callId())) {
                            runtime.approve(pending, Approver.of("ann"));
                        }
                    }
                }
            }
        }
        return new Recorded(agent.id(), run.runId(), live, runtime.history(run.runId()), suspensions);
    }
}
