package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams of agents to Mastra's client have what the workflows do that they call, and verdicts and tasks in the chunks that it declares. */
class MastraAgentWorkflowsTest extends ServerFixture {

    private static final Map<String, Object> ASK = Map.of("messages", "Please.");

    record Verdict(boolean accepted) {}

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        Agent writer = agents.getFirst();
        Agent clerk = agents.get(1);
        Step<String, Integer> ask =
                Step.of("ask", String.class, Integer.class, (text, context) -> context.resumeData(Verdict.class)
                        .map(verdict -> text.length())
                        .orElseGet(() -> context.suspend(Map.of("text", text))));
        Workflow<Order, Integer> report = Workflow.from("report", Order.class)
                .description("Reports.")
                .then(writer.asStep("write", Order.class, (order, context) -> "Write of " + order.amount()))
                .then(ask)
                .build(Integer.class);
        Workflow<Order, String> payment = Workflow.from("payment", Order.class)
                .description("Pays.")
                .then(clerk.asStep("order", Order.class, (order, context) -> "Pay " + order.amount()))
                .build(String.class);
        agents.add(Agent.builder("host")
                .model(script.modelFor("host"))
                .workflows(report, payment)
                .build());
        Tool hold = Tool.builder("hold", "Holds.")
                .input(Order.class)
                .handler((order, context) -> {
                    entered.countDown();
                    released.await();
                    return "held";
                })
                .build();
        agents.add(
                Agent.builder("desk").model(script.modelFor("desk")).tools(hold).build());
        agents.add(Agent.builder("judged")
                .model(script.modelFor("judged"))
                .defaultOptions(options -> options.maxSteps(2).completion(Completion.all(Scorers.minLength(100))))
                .build());
        return agents;
    }

    private static List<Json> chunks(HttpResponse<String> stream) {
        return stream.body()
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> Json.parse(line.substring("data: ".length())))
                .toList();
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer)
                .map(value -> value.string().orElse(value.text()))
                .orElse("");
    }

    private static List<Json> of(List<Json> chunks, String type) {
        return chunks.stream()
                .filter(chunk -> text(chunk, "/type").equals(type))
                .map(chunk -> chunk.at("/payload").orElseThrow())
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void whatAWorkflowDoesIsTheOutputOfItsCall(HttpBinding binding) {
        script.on("host").calls("workflow-report", Map.of("amount", 7)).then().says("Reported.");
        script.on("writer").says("Seven.");
        ChargehandServer server = serve(binding);
        List<Json> asked = chunks(post(server, "/api/agents/host/stream", ASK));
        String call = text(of(asked, "tool-call").getFirst(), "/toolCallId");
        List<Json> below = of(asked, "tool-output");
        assertThat(below).allSatisfy(output -> {
            assertThat(text(output, "/toolCallId")).isEqualTo(call);
            assertThat(text(output, "/output/from")).isEqualTo("WORKFLOW");
        });
        assertThat(below)
                .extracting(output -> text(output, "/output/type"))
                .contains(
                        "workflow-start",
                        "workflow-step-start",
                        "workflow-step-output",
                        "workflow-step-result",
                        "workflow-step-suspended");
        List<Json> outputs = below.stream()
                .filter(output -> text(output, "/output/type").equals("workflow-step-output"))
                .toList();
        assertThat(outputs).allSatisfy(output -> assertThat(text(output, "/output/payload/id"))
                .isEqualTo("write"));
        assertThat(outputs)
                .extracting(output -> text(output, "/output/payload/output/payload/text"))
                .contains("Seven.");
        Json waiting = of(asked, "tool-call-suspended").getFirst();
        assertThat(text(waiting, "/toolCallId")).isEqualTo(call);
        assertThat(text(waiting, "/suspendPayload/text")).isEqualTo("Seven.");
        Map<String, Object> answer = Map.of(
                "runId", text(asked.getFirst(), "/runId"),
                "toolCallId", call,
                "resumeData", Map.of("accepted", true));
        List<Json> rest = chunks(post(server, "/api/agents/host/resume-stream", answer));
        assertThat(text(of(rest, "tool-call").getFirst(), "/toolCallId")).isEqualTo(call);
        assertThat(of(rest, "tool-output"))
                .extracting(output -> text(output, "/output/payload/finalWorkflowResult"))
                .contains("6");
        assertThat(text(of(rest, "tool-result").getFirst(), "/result")).isEqualTo("6");
        assertThat(of(rest, "finish")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void anApprovalBelowAWorkflowHasTheIdOfACallInTheStream(HttpBinding binding) {
        script.on("host").calls("workflow-payment", Map.of("amount", 7)).then().says("Done.");
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        List<Json> asked = chunks(post(server, "/api/agents/host/stream", ASK));
        String call = text(of(asked, "tool-call").getFirst(), "/toolCallId");
        Json approval = of(asked, "tool-call-approval").getFirst();
        assertThat(text(approval, "/toolCallId") + text(approval, "/toolName")).isEqualTo(call + "pay");
        Map<String, Object> answer = Map.of("runId", text(asked.getFirst(), "/runId"), "toolCallId", call);
        List<Json> rest = chunks(post(server, "/api/agents/host/approve-tool-call", answer));
        assertThat(paid).containsExactly(7);
        assertThat(text(of(rest, "tool-result").getFirst(), "/toolCallId")).isEqualTo(call);
    }

    @ParameterizedTest
    @EnumSource
    void twoCallsOfAWorkflowAreKnownByTheirArguments(HttpBinding binding) {
        script.on("host")
                .calls("workflow-report", Map.of("amount", 7))
                .and()
                .calls("workflow-report", Map.of("amount", 8))
                .then()
                .says("Reported.");
        script.on("writer").says("Text.").forever();
        List<Json> chunks = chunks(post(serve(binding), "/api/agents/host/stream", ASK));
        for (Json call : of(chunks, "tool-call")) {
            assertThat(of(chunks, "tool-output"))
                    .filteredOn(output -> output.at("/toolCallId").equals(call.at("/toolCallId")))
                    .filteredOn(output -> text(output, "/output/payload/id").equals("write"))
                    .filteredOn(output -> output.at("/output/payload/payload").isPresent())
                    .isNotEmpty()
                    .allSatisfy(output ->
                            assertThat(output.at("/output/payload/payload")).isEqualTo(call.at("/args")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aVerdictIsTheChunkOfTheClient(HttpBinding binding) {
        script.on("judged").says("Short.").forever();
        List<Json> chunks = chunks(post(serve(binding), "/api/agents/judged/stream", ASK));
        List<Json> verdicts = of(chunks, "is-task-complete");
        assertThat(verdicts).hasSize(2);
        assertThat(text(verdicts.getFirst(), "/iteration") + text(verdicts.getFirst(), "/passed"))
                .isEqualTo("1false");
        assertThat(text(verdicts.getFirst(), "/results/0/scorerId")).isEqualTo("minLength");
        assertThat(text(verdicts.getFirst(), "/maxIterationReached")).isEqualTo("false");
        assertThat(text(verdicts.getLast(), "/iteration")).isEqualTo("2");
    }

    @ParameterizedTest
    @EnumSource
    void theStartOfATaskNamesItsCall(HttpBinding binding) {
        script.on("lead")
                .calls("agent-writer", Map.of("prompt", "Write.", "background", true))
                .then()
                .says("Started.")
                .forever();
        script.on("writer").says("Written.");
        Map<String, Object> onThread =
                Map.of("messages", "Please.", "memory", Map.of("thread", "t", "resource", "ann"));
        List<Json> chunks = chunks(post(serve(binding), "/api/agents/lead/stream", onThread));
        Json call = of(chunks, "tool-call").getFirst();
        Json task = of(chunks, "background-task-started").getFirst();
        assertThat(task.at("/toolCallId")).isEqualTo(call.at("/toolCallId"));
        assertThat(task.at("/toolName")).isEqualTo(call.at("/toolName"));
        assertThat(text(task, "/taskId")).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aCancelledNetworkEndsWithWhatItWasDoing(HttpBinding binding) throws Exception {
        script.on("desk")
                .says(Json.of(Map.of(
                                "primitiveId", "hold",
                                "primitiveType", "tool",
                                "prompt", "{\"amount\":7}",
                                "selectionReason", "It fits."))
                        .text());
        ChargehandServer server = serve(binding);
        List<HttpResponse<String>> answers = atOnce(2, number -> {
            if (number == 0) {
                return post(server, "/api/agents/desk/network", ASK);
            }
            await(entered);
            String run = at(get(server, "/api/v1/runs?agent=desk"), "/runs/0/runId");
            HttpResponse<String> cancelled = post(server, "/api/v1/runs/" + run + "/cancel", Map.of());
            released.countDown();
            return cancelled;
        });
        Json last = chunks(answers.getFirst()).getLast();
        assertThat(text(last, "/type")).as(answers.getLast().body()).isEqualTo("tool-execution-abort");
        assertThat(last.at("/payload"))
                .isEqualTo(Optional.of(Json.of(Map.of("primitiveType", "tool", "primitiveId", "hold"))));
    }

    @ParameterizedTest
    @EnumSource
    void aStepOfAChosenWorkflowThatWaitsIsAnsweredByItsChunk(HttpBinding binding) {
        script.on("host")
                .says(Json.of(Map.of("isComplete", true, "completionReason", "Done.", "finalResult", "Six."))
                        .text())
                .when(
                        "it is asked whether the task is done",
                        request -> request.output() != null
                                && request.output().json().text().contains("isComplete"))
                .forever()
                .then()
                .says(Json.of(Map.of(
                                "primitiveId", "report",
                                "primitiveType", "workflow",
                                "prompt", "{\"amount\":7}",
                                "selectionReason", "It fits."))
                        .text());
        script.on("writer").says("Seven.");
        ChargehandServer server = serve(binding);
        List<Json> asked = chunks(post(server, "/api/agents/host/network", ASK));
        Json waiting = of(asked, "workflow-execution-suspended").getFirst();
        assertThat(text(waiting, "/workflowId")).isEqualTo("report");
        assertThat(text(waiting, "/suspendPayload/text")).isEqualTo("Seven.");
        Map<String, Object> answer = Map.of(
                "runId", text(waiting, "/runId"),
                "toolCallId", text(waiting, "/toolCallId"),
                "resumeData", Map.of("accepted", true));
        List<Json> rest = chunks(post(server, "/api/agents/host/resume-stream", answer));
        assertThat(text(of(rest, "workflow-execution-end").getFirst(), "/result"))
                .isEqualTo("6");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
