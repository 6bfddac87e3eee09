package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.tool.Tool;
import dev.chargehand.version.Version;
import dev.chargehand.version.Versions;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the text of an answer is streamed to OpenAI's clients, which cannot take it back. */
@Timeout(120)
class OpenAiAnswersTest extends ServerFixture {

    private static final String CHAT = "/v1/chat/completions";
    private static final String RESPONSES = "/v1/responses";

    private Versions selected = Versions.NONE;

    /** Return agents whose answers something may reject or replace, and one whose answers nothing does. */
    @Override
    List<Agent> agents() {
        return List.of(
                agent("plain", options -> {}).version("1").build(),
                agent("plain", options -> options.completion(wantsGood()))
                        .version("2")
                        .build(),
                agent("completed", options -> options.completion(wantsGood())).build(),
                agent("iterated", options -> options.onIterationComplete(OpenAiAnswersTest::wantsGood))
                        .build(),
                agent("processed", options -> options.addOutputProcessor(polite()))
                        .build(),
                agent("bailing", options -> options.onDelegationComplete(done -> DelegationVerdict.bail()))
                        .build());
    }

    private AgentBuilder agent(String id, Consumer<RunOptions.Builder> options) {
        Agent helper = Agent.builder("helper")
                .description("Helps.")
                .model(script.modelFor("helper"))
                .build();
        return Agent.builder(id)
                .model(script.modelFor(id))
                .agents(helper)
                .tools(
                        Tool.of("look", "Looks.", Order.class, (order, context) -> "seen"),
                        Tool.external("ask", "Asks.", JsonSchema.of(Order.class)))
                .defaultOptions(options);
    }

    private static Completion wantsGood() {
        return Completion.all(Scorers.contains("good"));
    }

    private static IterationDecision wantsGood(IterationContext step) {
        return step.text().contains("bad") ? IterationDecision.proceedWith("Better.") : IterationDecision.proceed();
    }

    private static OutputResultProcessor polite() {
        return OutputResultProcessor.of("polite", (context, text) -> Processed.rewritten(text.replace("bad", "good")));
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.versions(none -> selected);
    }

    private ChargehandServer answering(HttpBinding binding, ServerAnswers answers) {
        return serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .answers(answers));
    }

    private ChargehandServer byDefault(HttpBinding binding) {
        return serve(binding);
    }

    /** The model looks, and answers badly. */
    private void looksAndAnswers(String agent) {
        script.on(agent)
                .streams("I ", "look.")
                .and()
                .calls("look", Map.of("amount", 1))
                .then()
                .streams("All ", "bad.");
    }

    /** The model looks, and answers badly and then well. */
    private void looksAndAnswersTwice(String agent) {
        looksAndAnswers(agent);
        script.on(agent).streams("All ", "good.");
    }

    private static Map<String, Object> chat(String model, Object... more) {
        Map<String, Object> body = new HashMap<>();
        body.put("model", model);
        body.put("messages", List.of(Map.of("role", "user", "content", "Write.")));
        return with(body, more);
    }

    private static Map<String, Object> response(String model, Object... more) {
        return with(new HashMap<>(Map.of("model", model, "input", "Write.", "stream", true)), more);
    }

    private static Map<String, Object> with(Map<String, Object> body, Object... more) {
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        return body;
    }

    private static List<Json> data(HttpResponse<String> stream) {
        return stream.body()
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> Json.parse(line.substring(6)))
                .toList();
    }

    private static List<String> texts(List<Json> events, String pointer) {
        return events.stream()
                .flatMap(event -> event.at(pointer).flatMap(Json::string).stream())
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** Return the parts of the text that a chat streams. */
    private List<String> parts(ChargehandServer server, String agent, Object... more) {
        return texts(data(post(server, CHAT, with(chat(agent, "stream", true), more))), "/choices/0/delta/content");
    }

    private HttpResponse<InputStream> open(ChargehandServer server, String agent) throws Exception {
        return client.send(
                request(server, CHAT)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                Json.of(chat(agent, "stream", true)).text()))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    /** The model ends its answer when the client has the start of it. */
    private void arrivesBeforeItIsWhole(ChargehandServer server, String agent) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on(agent).streams("All ").and().waitsFor(end).and().says("good.");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(open(server, agent).body(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (!line.contains("All ")) {
                line = lines.readLine();
            }
            end.countDown();
            assertThat(lines.lines()).anyMatch("data: [DONE]"::equals);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTextThatNothingRejectsIsSentAsItArrives(HttpBinding binding) throws Exception {
        arrivesBeforeItIsWhole(byDefault(binding), "plain");
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed", "iterated"})
    void aTextThatMayBeRejectedIsSentWhenItIsNot(String agent) {
        looksAndAnswersTwice(agent);
        assertThat(parts(byDefault(HttpBinding.HELIDON), agent)).containsExactly("I look.", "\n\nAll good.");
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatAProcessorMayReplaceIsSentAtTheEnd(HttpBinding binding) {
        looksAndAnswers("processed");
        assertThat(parts(byDefault(binding), "processed")).containsExactly("All good.");
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatASubAgentMayReplaceIsSentAtTheEnd(HttpBinding binding) {
        script.on("bailing")
                .streams("I ", "ask.")
                .and()
                .delegates("helper", "Help.")
                .on("helper")
                .says("All good.");
        assertThat(parts(byDefault(binding), "bailing")).containsExactly("All good.");
    }

    @ParameterizedTest
    @EnumSource
    void theVersionThatIsSelectedDecides(HttpBinding binding) {
        selected = Versions.NONE.agent("plain", Version.id("2"));
        looksAndAnswersTwice("plain");
        assertThat(parts(byDefault(binding), "plain")).containsExactly("I look.", "\n\nAll good.");
    }

    @ParameterizedTest
    @EnumSource
    void aServerCanHoldAllTextsBack(HttpBinding binding) {
        looksAndAnswers("plain");
        assertThat(parts(answering(binding, ServerAnswers.FINAL), "plain")).containsExactly("I look.", "\n\nAll bad.");
    }

    @ParameterizedTest
    @EnumSource
    void aServerCanHoldNoTextBack(HttpBinding binding) throws Exception {
        ChargehandServer server = answering(binding, ServerAnswers.LIVE);
        looksAndAnswersTwice("completed");
        assertThat(String.join("", parts(server, "completed"))).isEqualTo("I look.\n\nAll bad.\n\nAll good.");
        looksAndAnswers("processed");
        assertThat(parts(server, "processed").getLast().strip()).isEqualTo("All good.");
        arrivesBeforeItIsWhole(server, "completed");
        arrivesBeforeItIsWhole(server, "processed");
        arrivesBeforeItIsWhole(server, "bailing");
    }

    @ParameterizedTest
    @EnumSource
    void ofAStructuredAnswerNothingElseIsSentUnlessAllIs(HttpBinding binding) {
        Map<String, Object> format = Map.of("type", "json_object");
        Runnable looks = () -> script.on("plain")
                .says("I look.")
                .and()
                .calls("look", Map.of("amount", 1))
                .then()
                .streams("{\"a\":", "1}");
        for (ServerAnswers answers : List.of(ServerAnswers.AUTO, ServerAnswers.FINAL)) {
            looks.run();
            assertThat(parts(answering(binding, answers), "plain", "response_format", format))
                    .containsExactly("{\"a\":1}");
        }
        looks.run();
        assertThat(String.join("", parts(answering(binding, ServerAnswers.LIVE), "plain", "response_format", format)))
                .isEqualTo("I look.\n\n{\"a\":1}");
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatExecutesACallHasTheTextBeforeIt(HttpBinding binding) {
        script.on("completed")
                .streams("I ", "ask.")
                .and()
                .calls("ask", Map.of("amount", 1))
                .then()
                .streams("All ", "bad.")
                .then()
                .streams("All ", "good.");
        ChargehandServer server = byDefault(binding);
        List<Json> asks = data(post(server, CHAT, chat("completed", "stream", true)));
        assertThat(texts(asks, "/choices/0/delta/content")).containsExactly("I ask.");
        String call = texts(asks, "/choices/0/delta/tool_calls/0/id").getFirst();
        List<Map<String, String>> messages = List.of(
                Map.of("role", "user", "content", "Write."),
                Map.of("role", "tool", "tool_call_id", call, "content", "7"));
        assertThat(parts(server, "completed", "messages", messages)).containsExactly("All good.");
    }

    private static List<String> withoutDeltas(List<Json> events) {
        return events.stream()
                .filter(event -> !event.at("/type").map(Json::text).orElse("").contains(".delta"))
                .map(event -> event.at("/type").map(Json::text).orElse("") + " "
                        + event.at("/sequence_number").map(Json::text).orElse("") + " "
                        + event.at("/item").map(Json::text).orElse(""))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aResponseThatIsHeldBackIsReadAgainAsItWasSent(HttpBinding binding) {
        looksAndAnswersTwice("completed");
        ChargehandServer server = byDefault(binding);
        List<Json> sent = data(post(server, RESPONSES, response("completed")));
        assertThat(texts(sent, "/delta")).containsExactly("I look.", "All good.");
        String id = texts(sent, "/response/id").getFirst();
        for (int i = 0; i < sent.size(); i++) {
            String after = sent.get(i).at("/sequence_number").orElseThrow().text();
            List<Json> rest = data(get(server, RESPONSES + "/" + id + "?stream=true&starting_after=" + after));
            assertThat(withoutDeltas(rest)).as("after " + i).isEqualTo(withoutDeltas(sent.subList(i + 1, sent.size())));
        }
        HttpResponse<String> whole = get(server, RESPONSES + "/" + id);
        assertThat(at(whole, "/output/0/content/0/text")).isEqualTo("I look.");
        assertThat(at(whole, "/output/1/content/0/text")).isEqualTo("All good.");
        assertThat(at(whole, "/metadata")).isEqualTo("{}");
    }

    @ParameterizedTest
    @EnumSource
    void aRequestThatIsRepeatedHasTheEventsOfTheFirst(HttpBinding binding) {
        looksAndAnswersTwice("completed");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        List<Json> first = data(post(
                serve(runtime, builder -> builder.binding(binding)),
                RESPONSES,
                response("completed"),
                "Idempotency-Key",
                "k"));
        List<Json> again = data(post(
                serve(runtime, builder -> builder.binding(binding).answers(ServerAnswers.LIVE)),
                RESPONSES,
                response("completed"),
                "Idempotency-Key",
                "k"));
        assertThat(texts(again, "/delta")).containsExactly("I look.", "All good.");
        assertThat(withoutDeltas(again)).isEqualTo(withoutDeltas(first));
    }

    @ParameterizedTest
    @EnumSource
    void whatARequestWantsCountsWhenItsResponseIsReadAgain(HttpBinding binding) {
        script.on("plain")
                .says("I ask.")
                .and()
                .calls("ask", Map.of("amount", 1))
                .then()
                .says("{\"a\":1}");
        ChargehandServer server = byDefault(binding);
        Map<String, Object> format = Map.of("format", Map.of("type", "json_object"));
        List<Json> asks = data(post(server, RESPONSES, response("plain", "text", format)));
        assertThat(texts(asks, "/delta")).containsExactly("{\"amount\":1}");
        String call = texts(asks, "/item/call_id").getFirst();
        List<Map<String, String>> output =
                List.of(Map.of("type", "function_call_output", "call_id", call, "output", "7"));
        List<Json> rest = data(post(server, RESPONSES, response("plain", "input", output)));
        assertThat(texts(rest, "/delta")).containsExactly("{\"a\":1}");
        String id = texts(rest, "/response/id").getFirst();
        List<Json> again = new ArrayList<>(data(get(server, RESPONSES + "/" + id + "?stream=true")));
        assertThat(texts(again, "/delta")).containsExactly("{\"amount\":1}", "{\"a\":1}");
    }
}
