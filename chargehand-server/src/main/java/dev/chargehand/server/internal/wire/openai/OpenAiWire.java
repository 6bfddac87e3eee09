package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.json.Json;
import dev.chargehand.server.ServerAnswers;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Wire;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.openai.conversation.ConversationRoutes;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** The wire of OpenAI's clients. Agents are its models. */
public final class OpenAiWire implements Wire {

    /** The header in which clients look for what names a request in reports of errors. */
    private static final String REQUEST_ID = "x-request-id";

    private final List<Route> routes;

    /**
     * Make it.
     *
     * @param answers when texts are streamed
     */
    public OpenAiWire(WireRuns runs, ServerAnswers answers) {
        AnswerTimes times = new AnswerTimes(runs, answers);
        routes = Stream.of(
                        new ModelRoutes(runs).routes(),
                        new ChatRoutes(runs, times).routes(),
                        new StoredChats(runs, times).routes(),
                        new ResponseRoutes(runs, times).routes(),
                        new ConversationRoutes(runs).routes())
                .flatMap(List::stream)
                .map(route -> route.withHeaders(call -> newId()))
                .toList();
    }

    private static Map<String, String> newId() {
        return Map.of(REQUEST_ID, "req_" + UUID.randomUUID().toString().replace("-", ""));
    }

    @Override
    public String name() {
        return "openai";
    }

    @Override
    public String prefix() {
        return "/v1";
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public Reply.Whole rejected(ProblemException problem) {
        Json body = Json.of(Map.of("error", ErrorBody.of(problem)));
        return new Reply.Whole(problem.problem().status(), problem.headers(), "application/json", body)
                .withHeaders(newId());
    }
}
