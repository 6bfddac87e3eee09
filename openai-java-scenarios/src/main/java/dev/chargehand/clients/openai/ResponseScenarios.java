package dev.chargehand.clients.openai;

import static dev.chargehand.clients.openai.Scenarios.check;
import static dev.chargehand.clients.openai.Scenarios.same;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseRetrieveParams;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.List;

/** Responses. */
final class ResponseScenarios {

    private final OpenAIClient client;

    ResponseScenarios(OpenAIClient client) {
        this.client = client;
    }

    void addTo(Scenarios scenarios) {
        scenarios
                .add("aResponseIsCreatedAndRetrieved", this::retrieved)
                .add("aResponseIsContinued", this::continued)
                .add("aResponseIsStreamedAndReadAgain", this::streamed)
                .add("aStreamIsResumed", this::resumed)
                .add("aResponseIsAnObjectOfAClass", this::structured)
                .add("aToolOfTheClientIsCalledInAResponse", this::tool)
                .add("aResponseInTheBackgroundIsPolledAndCancelled", this::background)
                .add("aStreamThatIsClosedCancelsItsRun", this::closed);
    }

    static ResponseCreateParams.Builder response(String agent, String input) {
        return ResponseCreateParams.builder().model(agent).input(input);
    }

    private void retrieved() {
        Response made = client.responses().create(response("writer", "Write.").build());
        same(made.status().orElseThrow(), ResponseStatus.COMPLETED);
        same(texts(made), List.of("One two."));
        same(made.usage().orElseThrow().totalTokens(), 15L);
        check(made.createdAt() > 0, made);
        Response read = client.responses().retrieve(made.id());
        same(texts(read), List.of("One two."));
        same(read.usage(), made.usage());
    }

    private void continued() {
        Response first = client.responses().create(response("writer", "Write.").build());
        Response second = client.responses()
                .create(response("writer", "How many?")
                        .previousResponseId(first.id())
                        .build());
        same(second.previousResponseId().orElseThrow(), first.id());
        same(texts(second), List.of("One two."));
        same(client.responses().retrieve(second.id()).previousResponseId().orElseThrow(), first.id());
    }

    private void streamed() {
        Response made = accumulated(created(response("lead", "Write.").build()));
        same(texts(made), List.of("I ask.", "All done."));
        same(made.usage().orElseThrow().totalTokens(), 45L);
        ResponseRetrieveParams all = ResponseRetrieveParams.builder().build();
        same(accumulated(read(made.id(), all)).output(), made.output());
    }

    private List<ResponseStreamEvent> created(ResponseCreateParams params) {
        try (StreamResponse<ResponseStreamEvent> events = client.responses().createStreaming(params)) {
            return events.stream().toList();
        }
    }

    private List<ResponseStreamEvent> read(String id, ResponseRetrieveParams params) {
        try (StreamResponse<ResponseStreamEvent> events = client.responses().retrieveStreaming(id, params)) {
            return events.stream().toList();
        }
    }

    private static Response accumulated(List<ResponseStreamEvent> events) {
        ResponseAccumulator accumulator = ResponseAccumulator.create();
        events.forEach(accumulator::accumulate);
        return accumulator.response();
    }

    private void resumed() {
        Response made = client.responses().create(response("writer", "Write.").build());
        List<ResponseStreamEvent> all =
                read(made.id(), ResponseRetrieveParams.builder().build());
        long cut = all.get(1).asInProgress().sequenceNumber();
        List<ResponseStreamEvent> rest = read(
                made.id(), ResponseRetrieveParams.builder().startingAfter(cut).build());
        same(rest, all.subList(2, all.size()));
        same(rest.getLast().asCompleted().response().output(), made.output());
    }

    private void structured() {
        ChatScenarios.Shape shape = client
                .responses()
                .create(response("shaper", "Shape.")
                        .text(ChatScenarios.Shape.class)
                        .build())
                .output()
                .stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(content -> content.outputText().stream())
                .findFirst()
                .orElseThrow();
        same(shape.a, 1);
    }

    private void tool() {
        Response first = client.responses()
                .create(response("helper", "Where?").addTool(locate()).build());
        ResponseFunctionToolCall call = first.output().stream()
                .flatMap(item -> item.functionCall().stream())
                .findFirst()
                .orElseThrow();
        same(call.name(), "locate");
        same(call.arguments(), "{\"precise\":true}");
        ResponseInputItem result = ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                .callId(call.callId())
                .output("Rome")
                .build());
        Response second = client.responses()
                .create(ResponseCreateParams.builder()
                        .model("helper")
                        .previousResponseId(first.id())
                        .inputOfResponse(List.of(result))
                        .addTool(locate())
                        .build());
        same(texts(second), List.of("You are there."));
        Response read = client.responses().retrieve(first.id());
        check(
                read.output().getFirst().isFunctionCall()
                        && read.output().getLast().isMessage(),
                read);
    }

    private static FunctionTool locate() {
        return FunctionTool.builder()
                .name("locate")
                .strict(false)
                .parameters(FunctionTool.Parameters.builder()
                        .putAdditionalProperty("type", JsonValue.from("object"))
                        .build())
                .build();
    }

    private void background() {
        Response queued = client.responses()
                .create(response("slow", "Write.").background(true).build());
        same(queued.status().orElseThrow(), ResponseStatus.QUEUED);
        same(client.responses().cancel(queued.id()).status().orElseThrow(), ResponseStatus.CANCELLED);
        untilCancelled(queued.id());
    }

    private void closed() {
        String id;
        try (StreamResponse<ResponseStreamEvent> events =
                client.responses().createStreaming(response("slow", "Write.").build())) {
            id = events.stream()
                    .flatMap(event -> event.created().stream())
                    .map(event -> event.response().id())
                    .findFirst()
                    .orElseThrow();
        }
        untilCancelled(id);
    }

    /** The time limit of the scenario ends the wait. */
    private void untilCancelled(String id) {
        while (!client.responses().retrieve(id).status().orElseThrow().equals(ResponseStatus.CANCELLED)) {
            Scenarios.pause();
        }
    }

    static List<String> texts(Response response) {
        return response.output().stream()
                .filter(ResponseOutputItem::isMessage)
                .flatMap(item -> item.asMessage().content().stream())
                .map(content -> content.asOutputText().text())
                .toList();
    }
}
