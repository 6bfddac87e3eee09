package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.tool.Tool;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that give the results of the same calls of a client: at once, and again. */
@Timeout(300)
class ResultsAtOnceTest extends ServerFixture {

    private static final int ROUNDS = 25;
    private static final String CALL_ID = "\"toolCallId\":\"(call_[^\"]*)\"";

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("helper")
                .model(script.modelFor("helper"))
                .tools(
                        Tool.external("locate", "Finds a place.", JsonSchema.of(Order.class)),
                        Tool.external("measure", "Measures a place.", JsonSchema.of(Order.class)))
                .build());
        return agents;
    }

    /** The requests by which clients of a wire start a run that calls two of their tools, and give the results. */
    enum Client {
        CHAT("/v1/chat/completions", "\"id\":\"(run_[^\"]*)\"") {
            @Override
            Map<String, Object> start(String thread) {
                return Map.of("model", "helper@" + thread, "messages", List.of(user()));
            }

            @Override
            Map<String, Object> results(String thread, List<String> calls) {
                List<Map<String, Object>> messages = new ArrayList<>(List.of(user()));
                calls.forEach(call -> messages.add(Map.of("role", "tool", "tool_call_id", call, "content", "Rome")));
                return Map.of("model", "helper@" + thread, "messages", messages);
            }
        },
        RESPONSES("/v1/responses", "\"call_id\":\"([^\"]*)\"") {
            @Override
            Map<String, Object> start(String thread) {
                return Map.of("model", "helper@" + thread, "input", "Where?");
            }

            @Override
            Map<String, Object> results(String thread, List<String> calls) {
                return Map.of(
                        "model",
                        "helper@" + thread,
                        "input",
                        calls.stream()
                                .map(call -> Map.of("type", "function_call_output", "call_id", call, "output", "Rome"))
                                .toList());
            }
        },
        AI_SDK("/ai-sdk/helper", CALL_ID) {
            @Override
            Map<String, Object> start(String thread) {
                return Map.of("id", thread, "messages", List.of(asked()));
            }

            @Override
            Map<String, Object> results(String thread, List<String> calls) {
                List<?> parts = calls.stream()
                        .map(call -> Map.of(
                                "type",
                                "tool-locate",
                                "toolCallId",
                                call,
                                "state",
                                "output-available",
                                "input",
                                Map.of(),
                                "output",
                                "Rome"))
                        .toList();
                return Map.of(
                        "id",
                        thread,
                        "messages",
                        List.of(asked(), Map.of("id", "2", "role", "assistant", "parts", parts)));
            }
        },
        AG_UI("/ag-ui/helper", CALL_ID) {
            @Override
            Map<String, Object> start(String thread) {
                return Map.of("threadId", thread, "runId", thread, "messages", List.of(user()));
            }

            @Override
            Map<String, Object> results(String thread, List<String> calls) {
                List<Map<String, Object>> messages = new ArrayList<>(List.of(user()));
                calls.forEach(call -> messages.add(
                        Map.of("id", "of " + call, "role", "tool", "toolCallId", call, "content", "Rome")));
                return Map.of("threadId", thread, "runId", "after " + thread, "messages", messages);
            }
        },
        MASTRA("/api/agents/helper/generate", CALL_ID) {
            @Override
            Map<String, Object> start(String thread) {
                return Map.of("messages", "Where?", "memory", Map.of("thread", thread, "resource", "ann"));
            }

            @Override
            Map<String, Object> results(String thread, List<String> calls) {
                return Map.of(
                        "messages",
                        List.of(Map.of(
                                "role",
                                "tool",
                                "content",
                                calls.stream()
                                        .map(call -> Map.of("toolCallId", call, "result", "Rome"))
                                        .toList())),
                        "memory",
                        Map.of("thread", thread, "resource", "ann"));
            }
        },
        MASTRA_WITHOUT_THREAD("/api/agents/helper/stream", CALL_ID) {
            @Override
            Map<String, Object> start(String thread) {
                return Map.of("messages", "Where?");
            }

            @Override
            Map<String, Object> results(String thread, List<String> calls) {
                return Map.of("messages", MASTRA.results(thread, calls).get("messages"));
            }
        };

        private final String path;
        private final Pattern call;

        Client(String path, String call) {
            this.path = path;
            this.call = Pattern.compile(call);
        }

        abstract Map<String, Object> start(String thread);

        abstract Map<String, Object> results(String thread, List<String> calls);

        private static Map<String, Object> user() {
            return Map.of("id", "1", "role", "user", "content", "Where?");
        }

        private static Map<String, Object> asked() {
            return Map.of("id", "1", "role", "user", "parts", List.of(Map.of("type", "text", "text", "Where?")));
        }
    }

    private List<String> calls(ChargehandServer server, Client client, String thread) {
        HttpResponse<String> first = post(server, client.path, client.start(thread));
        List<String> calls = client.call
                .matcher(first.body())
                .results()
                .map((MatchResult match) -> match.group(1))
                .distinct()
                .toList();
        assertThat(calls).as(first.body()).hasSize(2);
        return calls;
    }

    private void scripted(int runs) {
        for (int i = 0; i < runs; i++) {
            script.on("helper")
                    .calls("locate", Map.of("amount", 1))
                    .and()
                    .calls("measure", Map.of("amount", 2))
                    .then()
                    .says("There.");
        }
    }

    private ChargehandServer serve() {
        return serve(
                runtime(InMemoryStore.keepingEndedRuns()),
                builder -> builder.limit(ServerLimit.START_BURST, 10_000).limit(ServerLimit.REQUEST_BURST, 10_000));
    }

    /** Clients repeat requests, and may have the results in another order. */
    @ParameterizedTest
    @EnumSource
    void oneOfTwoRequestsContinuesTheRunAndTheOtherDoesTheSameOrIsRejected(Client client) throws Exception {
        scripted(ROUNDS);
        ChargehandServer server = serve();
        for (int i = 0; i < ROUNDS; i++) {
            String thread = "t" + i;
            List<String> calls = calls(server, client, thread);
            List<HttpResponse<String>> answers = atOnce(
                    2,
                    number ->
                            post(server, client.path, client.results(thread, number == 0 ? calls : calls.reversed())));
            assertThat(answers).as(i + ": " + bodies(answers)).anyMatch(ResultsAtOnceTest::hasAnswer);
            assertThat(answers).as(i + ": " + bodies(answers)).allMatch(it -> hasAnswer(it) || it.statusCode() == 409);
        }
    }

    private static String bodies(List<HttpResponse<String>> answers) {
        return Json.of(answers.stream()
                        .map(it -> it.statusCode() + " " + it.body())
                        .toList())
                .text();
    }

    private static boolean hasAnswer(HttpResponse<String> answer) {
        return answer.statusCode() == 200 && answer.body().contains("There.");
    }

    /** Without this a client whose request was cut between two results could not continue the run with the same request. */
    @ParameterizedTest
    @EnumSource
    void aRequestWithAResultThatIsStoredContinuesWithTheOthers(Client client) {
        scripted(1);
        ChargehandServer server = serve();
        List<String> calls = calls(server, client, "t");
        HttpResponse<String> part = post(server, client.path, client.results("t", calls.subList(0, 1)));
        assertThat(part.statusCode()).as(part.body()).isEqualTo(200);
        HttpResponse<String> whole = post(server, client.path, client.results("t", calls));
        assertThat(hasAnswer(whole)).as(whole.body()).isTrue();
        HttpResponse<String> again = post(server, client.path, client.results("t", calls));
        assertThat(again.statusCode()).as(again.body()).isEqualTo(409);
    }
}
