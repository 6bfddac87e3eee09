package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.ClientTools;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools that the client of a run executes. */
class ExternalToolTest {

    record Place(String city) {}

    private static final JsonSchema SCHEMA = JsonSchema.of(Place.class);

    private final Script script = ScriptedModel.script();

    @TempDir
    private Path folder;

    private static Tool external(String name) {
        return Tool.external(name, "Works at the client.", SCHEMA);
    }

    private static RequestContext with(String agent, Tool... tools) {
        return ClientTools.in(RequestContext.empty(), agent, List.of(tools));
    }

    private Agent lead() {
        Tool own = Tool.of("own", "Works here.", Place.class, (place, context) -> "own " + place.city());
        Agent sub = Agent.builder("sub")
                .description("Helps.")
                .model(script.modelFor("sub"))
                .acceptClientTools()
                .build();
        return Agent.builder("lead")
                .model(script.modelFor("lead"))
                .tools(own)
                .agents(sub)
                .acceptClientTools()
                .build();
    }

    private AgentRuntime runtime() {
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .agents(lead())
                .anyoneMayApprove()
                .build();
    }

    @Test
    void itsCallWaitsAndAnotherProcessGivesTheResult() {
        script.on("lead").calls("locate", Map.of("city", "Rome")).then().says("There.");
        PendingApproval waiting;
        try (AgentRuntime runtime = runtime()) {
            RunResult result = runtime.start(
                            runtime.agent("lead"), List.of(Message.user("Where?")), options -> options.requestContext(
                                            with("lead", external("locate")))
                                    .requester("ann")
                                    .selfApproval(false))
                    .result();
            assertThat(result.status()).isEqualTo(RunStatus.SUSPENDED);
            waiting = result.pendingApprovals().getFirst();
        }
        assertThat(waiting.isExternal()).isTrue();
        assertThat(waiting.arguments().at("/city").flatMap(Json::string)).contains("Rome");
        assertThat(PendingApproval.fromJson(waiting.toJson()).isExternal()).isTrue();
        try (AgentRuntime runtime = runtime()) {
            RunResult result = runtime.answer(
                            waiting, ApprovalAnswer.data(Approver.of("ann"), Json.of(Map.of("lat", 41))), options -> {})
                    .result();
            assertThat(result.text()).isEqualTo("There.");
        }
        assertThat(script.requests().getLast().messages().getLast().toJson().text())
                .contains("<client-result-", "lat");
    }

    @Test
    void aToolOfTheClientReplacesNoneAndIsOfOneAgent() {
        script.on("lead")
                .calls("own", Map.of("city", "Rome"))
                .then()
                .delegates("sub", "Help.")
                .then()
                .says("Done.");
        script.on("sub").says("Helped.");
        try (AgentRuntime runtime = runtime()) {
            RunResult result = runtime.agent("lead")
                    .generate(
                            "Go.",
                            options -> options.requestContext(with("lead", external("own"), external("locate"))));
            assertThat(result.text()).isEqualTo("Done.");
        }
        assertThat(script.requests().getFirst().tools())
                .extracting(tool -> tool.name())
                .contains("own", "locate")
                .doesNotHaveDuplicates();
        assertThat(script.requests().get(2).tools())
                .extracting(tool -> tool.name())
                .doesNotContain("locate", "own");
    }

    @Test
    void whatItsClientChoosesIsOfTheFirstStepOfTheRootRun() {
        RequestContext context = ClientTools.choosing(RequestContext.empty(), "lead", ToolChoice.tool("agent-sub"));
        RequestContext ofSub = ClientTools.choosing(context, "sub", ToolChoice.required());
        assertThat(ClientTools.choice(ofSub, "lead")).isEmpty();
        try (AgentRuntime runtime = runtime()) {
            for (RequestContext each : List.of(context, ofSub)) {
                script.on("lead").delegates("sub", "Help.").then().says("Done.");
                script.on("sub").says("Helped.");
                assertThat(runtime.agent("lead")
                                .generate("Go.", options -> options.requestContext(each))
                                .text())
                        .isEqualTo("Done.");
            }
        }
        assertThat(script.requests().stream().map(ModelRequest::toolChoice))
                .containsExactly(
                        ToolChoice.tool("agent-sub"),
                        ToolChoice.auto(),
                        ToolChoice.auto(),
                        ToolChoice.auto(),
                        ToolChoice.auto(), // the nested run of another agent's choice
                        ToolChoice.auto());
    }

    @Test
    void anAgentThatDoesNotAcceptThemHasOnlyItsOwn() {
        Agent writer = Agent.builder("writer").model(script.modelFor("writer")).build();
        assertThat(writer.toolsFor(with("writer", external("locate")))).isEmpty();
        assertThat(lead().toolsFor(with("other", external("locate"))))
                .extracting(Tool::name)
                .containsExactly("own");
    }

    @Test
    void whatCannotBeAddedIsRejected() {
        Tool own = Tool.of("own", "Works here.", Place.class, (place, context) -> "");
        for (List<Tool> wrong : List.of(
                List.of(own),
                List.of(external("a"), external("a")),
                List.of(external("agent-sub")),
                List.of(external("workflow-x")),
                Collections.nCopies(33, external("a")),
                List.of(Tool.external("a", "x".repeat(ClientTools.MOST_CHARACTERS), SCHEMA)))) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> ClientTools.in(RequestContext.empty(), "lead", wrong));
        }
    }
}
