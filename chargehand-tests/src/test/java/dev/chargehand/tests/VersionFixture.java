package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.version.Version;
import dev.chargehand.version.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Agents that say which version they are, and supervisors that say what they were told. */
abstract class VersionFixture {

    static final Approver ANN = Approver.of("ann");

    final Store store = open();
    final Queue<ModelRequest> requests = new ConcurrentLinkedQueue<>();

    /** Opens the store of a test, which runtimes do not close. */
    Store open() {
        return InMemoryStore.keepingEndedRuns();
    }

    /** An agent that answers with its id and version. */
    static Agent worker(String id, String version) {
        return worker(id, version, version);
    }

    /** An agent that answers with its id and a word. */
    static Agent worker(String id, String version, String word) {
        return builder(id, version)
                .model(Scripts.on(id).says(id + " " + word).forever().modelFor(id))
                .build();
    }

    /** An agent that calls a tool which waits for approval, and answers with its id and version. */
    static Agent deleter(String id, String version) {
        return builder(id, version)
                .tools(Steps.approvedTool("delete", (in, ctx) -> "deleted"))
                .model(ScriptedModel.script()
                        .on(id)
                        .answers(request -> request.messages().getLast().role() == Role.TOOL
                                ? Steps.said(id + " " + version)
                                : Steps.calling("delete", "{}"))
                        .forever()
                        .modelFor(id))
                .build();
    }

    /** An agent that delegates to all of its sub-agents at once, and answers with its version and what they said. */
    Agent supervisor(String id, String version, Agent... agents) {
        return supervisor(builder(id, version).agents(agents), id, version);
    }

    Agent supervisor(AgentBuilder builder, String id, String version) {
        return builder.model(ScriptedModel.script()
                        .on(id)
                        .answers(request -> {
                            requests.add(request);
                            return request.messages().getLast().role() == Role.TOOL
                                    ? Steps.said(id + " " + version + " [" + told(request) + "]")
                                    : delegating(request);
                        })
                        .forever()
                        .modelFor(id))
                .build();
    }

    static AgentBuilder builder(String id, String version) {
        AgentBuilder builder = Agent.builder(id).description(id + " " + version + " works.");
        return version.isEmpty() ? builder : builder.version(version);
    }

    private static ModelResponse delegating(ModelRequest request) {
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        request.tools()
                .forEach(tool -> calls.add(
                        new ModelResponse.RequestedCall("c" + calls.size(), tool.name(), "{\"prompt\":\"Go\"}")));
        return new ModelResponse("", "", calls, FinishReason.TOOL_CALLS, Usage.of(10, 5));
    }

    private static String told(ModelRequest request) {
        return request.messages().getLast().toolResults().stream()
                .map(Part.ToolResult::output)
                .map(Fences::without)
                .collect(Collectors.joining(", "));
    }

    AgentRuntimeBuilder building(Agent... agents) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .agents(agents);
    }

    AgentRuntime runtime(Agent... agents) {
        return building(agents).build();
    }

    static RequestContext context(Versions versions) {
        return RequestContext.of(Versions.KEY, versions.toJson());
    }

    static Version id(String id) {
        return Version.id(id);
    }

    /** The versions in the events of starts, such as {@code writer=2}, in their order. */
    static List<String> started(List<RunEvent> events) {
        return events.stream()
                .filter(RunEvent.RunStart.class::isInstance)
                .map(RunEvent.RunStart.class::cast)
                .map(event -> event.agentId() + "=" + event.version())
                .toList();
    }
}
