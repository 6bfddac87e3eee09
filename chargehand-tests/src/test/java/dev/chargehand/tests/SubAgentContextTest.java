package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.MessageFilterContext;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a sub-agent sees of the conversation above it. */
class SubAgentContextTest {

    private static final String SYSTEM = "system: You are writer.";
    private static final String TASK = "user: Do the task";

    /** Looks, is told something, asks the researcher and then the writer; what the writer sees is looked at. */
    private static Script conversation() {
        return Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.says("First I look. ").and(Turn.calls("look", "{}")),
                        Turn.says("Then I ask. ").and(Turn.delegates("researcher", "P1")),
                        Turn.delegates("writer", "P2"),
                        Turn.says("Done")),
                Turns.saying("researcher", "Fact"),
                Turns.saying("writer", "Draft"));
    }

    private static Ran with(Consumer<RunOptions.Builder> options) {
        return Both.run(
                Crew.supervisor(Crew.LOOK),
                o -> {
                    o.onIterationComplete(it -> it.iteration() == 1
                            ? IterationDecision.proceedWith("Internal remark.")
                            : IterationDecision.proceed());
                    options.accept(o);
                },
                SubAgentContextTest::conversation);
    }

    private static List<String> seen(SubAgentContext context) {
        return with(o -> o.subAgentContext(context)).request("writer", 1);
    }

    // PRD 7.1: Sub-agent context filtering works
    @Test
    void byDefaultASubAgentSeesAllThatWasSaidWithoutToolsInstructionsAndFeedback() {
        assertThat(with(o -> {}).request("writer", 1))
                .containsExactly(SYSTEM, TASK, "assistant: First I look. ", "assistant: Then I ask. ", "user: P2")
                .isEqualTo(seen(SubAgentContext.fullHistory()));
    }

    // PRD 7.1: Sub-agent context filtering works
    @Test
    void promptOnlyIsTheDelegationPromptAlone() {
        assertThat(seen(SubAgentContext.promptOnly())).containsExactly(SYSTEM, "user: P2");
    }

    // PRD 7.1: Sub-agent context filtering works
    @Test
    void lastMessagesAreTheLatestOfThoseThatAreForwardedAtAll() {
        assertThat(seen(SubAgentContext.lastMessages(1)))
                .containsExactly(SYSTEM, "assistant: Then I ask. ", "user: P2");
        assertThat(seen(SubAgentContext.lastMessages(2)))
                .containsExactly(SYSTEM, "assistant: First I look. ", "assistant: Then I ask. ", "user: P2");
        assertThat(seen(SubAgentContext.lastMessages(50))).hasSize(5);
    }

    @Test
    void lastMessagesAreTwentyUnlessGiven() {
        List<Message> long30 = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            long30.add(i % 2 == 1 ? Message.user("m" + i) : Message.assistant("m" + i));
        }
        Script script = Scripts.oneDelegation();
        try (var test = TestRuntime.with(script)) {
            test.bind(Crew.supervisor()).generate(long30, o -> o.subAgentContext(SubAgentContext.lastMessages()));
        }
        List<String> lines = Wire.lines(script.requestsOf("researcher").getFirst());
        assertThat(lines).hasSize(22).contains("user: m11").doesNotContain("assistant: m10");
    }

    // PRD 7.1: Sub-agent context filtering works
    @Test
    void aFilterChoosesBeforeTheLatestAreCounted() {
        assertThat(seen(SubAgentContext.lastMessages(1).withFilter(message -> message.role() == Role.USER)))
                .containsExactly(SYSTEM, TASK, "user: P2");
    }

    @Test
    void feedbackIsForwardedOnlyIfAskedForAndThenAsAUsersWord() {
        assertThat(seen(SubAgentContext.fullHistory().filterInternalMessages(false)))
                .containsExactly(
                        SYSTEM,
                        TASK,
                        "assistant: First I look. ",
                        "user: Internal remark.",
                        "assistant: Then I ask. ",
                        "user: P2");
    }

    @Test
    void theContextOfTheAgentHoldsUnlessTheCallSaysOtherwise() {
        Agent agent = Crew.agent("supervisor", builder -> builder.instructions("You supervise.")
                .agents(Crew.RESEARCHER, Crew.WRITER)
                .tools(Crew.LOOK)
                .subAgentContext(SubAgentContext.promptOnly()));
        Both both = Both.ways(SubAgentContextTest::conversation).agent(agent);
        assertThat(both.run().request("writer", 1)).containsExactly(SYSTEM, "user: P2");
        assertThat(both.options(o -> o.subAgentContext(SubAgentContext.lastMessages(1)))
                        .run()
                        .request("writer", 1))
                .containsExactly(SYSTEM, "assistant: Then I ask. ", "user: P2");
    }

    @Test
    void theMessageFilterChoosesFromWhatTheContextLetsThrough() {
        List<MessageFilterContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = with(o -> o.thread("t")
                .resource("u")
                .subAgentContext(SubAgentContext.lastMessages(2))
                .onDelegationStart(start -> DelegationDecision.proceed().withPrompt(start.prompt() + "!"))
                .messageFilter(filter -> {
                    heard.add(filter);
                    return filter.messages().stream()
                            .filter(message -> !message.text().contains("look"))
                            .toList();
                }));
        assertThat(ran.request("writer", 1)).containsExactly(SYSTEM, "assistant: Then I ask. ", "user: P2!");
        MessageFilterContext writer = heard.getLast();
        assertThat(heard).hasSize(4);
        assertThat(writer.agentId()).isEqualTo("writer");
        assertThat(writer.key()).isEqualTo("writer");
        assertThat(writer.prompt()).as("it comes after the start hook").isEqualTo("P2!");
        assertThat(writer.step()).isEqualTo(3);
        assertThat(writer.callId())
                .isEqualTo(ran.result().toolResults().getLast().callId());
        assertThat(writer.run().runId()).isEqualTo(ran.result().runId());
        assertThat(writer.run().threadId()).contains("t");
        assertThat(writer.run().resourceId()).contains("u");
        assertThat(writer.messages().stream().map(Wire::line))
                .containsExactly("assistant: First I look. ", "assistant: Then I ask. ");
    }

    @Test
    void theMessageFilterCanAddToTheConversationButNeverInstructionsOrTools() {
        Ran ran = with(o -> o.messageFilter(filter -> Stream.concat(
                        Stream.of(Message.system("Obey."), Message.user("By the way")), filter.messages().stream())
                .toList()));
        assertThat(ran.request("writer", 1).subList(0, 3)).containsExactly(SYSTEM, "user: By the way", TASK);
    }

    @Test
    void theFilterDoesNotChangeWhatTheSupervisorsModelSees() {
        Ran ran = with(o -> o.messageFilter(filter -> List.of()));
        assertThat(ran.request("writer", 1)).containsExactly(SYSTEM, "user: P2");
        assertThat(ran.request("supervisor", 4))
                .containsExactly(
                        "system: You supervise.",
                        TASK,
                        "assistant: First I look.  look{}",
                        "tool: look = {\"secret\":\"S3\",\"n\":1}",
                        "system: Internal remark.",
                        "assistant: Then I ask.  agent-researcher{\"prompt\":\"P1\"}",
                        "tool: agent-researcher = Fact",
                        "assistant: agent-writer{\"prompt\":\"P2\"}",
                        "tool: agent-writer = Draft");
    }

    @Test
    void aContextOfFewerThanNoMessagesIsRefused() {
        assertThatThrownBy(() -> SubAgentContext.lastMessages(-1)).isInstanceOf(ConfigurationException.class);
    }
}
