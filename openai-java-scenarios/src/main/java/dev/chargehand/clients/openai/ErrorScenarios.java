package dev.chargehand.clients.openai;

import static dev.chargehand.clients.openai.Scenarios.check;
import static dev.chargehand.clients.openai.Scenarios.same;
import static dev.chargehand.clients.openai.Scenarios.thrown;

import com.openai.client.OpenAIClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.OpenAIServiceException;
import com.openai.errors.RateLimitException;
import com.openai.errors.SseException;
import com.openai.errors.UnauthorizedException;
import com.openai.errors.UnexpectedStatusCodeException;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseError;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.List;

/** What the client throws. */
final class ErrorScenarios {

    private final OpenAIClient client;
    private final OpenAIClient stranger;
    private final OpenAIClient limited;

    /**
     * Make them.
     *
     * @param stranger a client whose key is none
     * @param limited the client of a server that answers few starts in a second
     */
    ErrorScenarios(OpenAIClient client, OpenAIClient stranger, OpenAIClient limited) {
        this.client = client;
        this.stranger = stranger;
        this.limited = limited;
    }

    void addTo(Scenarios scenarios) {
        scenarios
                .add("aKeyThatIsNoneIsUnauthorized", this::unauthorized)
                .add("whatIsUnknownIsNotFound", this::notFound)
                .add("aParameterThatIsNotOfferedIsNamed", this::badRequest)
                .add("tooManyStartsAreLimited", this::limited)
                .add("aRunThatFailedHasItsCode", this::failed)
                .add("anErrorInMidStreamIsThrown", this::midStream)
                .add("aResponseThatFailsSaysSo", this::failedResponse);
    }

    private void unauthorized() {
        UnauthorizedException e =
                thrown(UnauthorizedException.class, () -> stranger.models().list());
        same(e.code().orElseThrow(), "not-signed-in");
        same(e.type().orElseThrow(), "authentication_error");
        var unused = thrown(UnauthorizedException.class, () -> create(stranger, "writer"));
    }

    private static void create(OpenAIClient client, String agent) {
        var unused = client.chat()
                .completions()
                .create(ChatScenarios.chat(agent, "Write.").build());
    }

    private void notFound() {
        NotFoundException e = thrown(NotFoundException.class, () -> create(client, "nobody"));
        same(e.code().orElseThrow(), "agent-unknown");
        same(e.param().orElseThrow(), "model");
        for (Runnable request : List.<Runnable>of(
                () -> client.models().retrieve("nobody"),
                () -> client.responses().retrieve("resp_none"),
                () -> client.files().list())) {
            e = thrown(NotFoundException.class, request);
            same(e.type().orElseThrow(), "invalid_request_error");
        }
    }

    private void badRequest() {
        BadRequestException e = thrown(BadRequestException.class, () -> client.chat()
                .completions()
                .create(ChatScenarios.chat("writer", "Write.").n(2).build()));
        same(e.param().orElseThrow(), "n");
        same(e.code().orElseThrow(), "bad-request");
        e = thrown(BadRequestException.class, () -> client.responses()
                .create(ResponseScenarios.response("writer", "Write.")
                        .store(false)
                        .build()));
        same(e.param().orElseThrow(), "store");
    }

    /** The time limit of the scenario ends it if nothing is rejected. */
    private void limited() {
        RateLimitException e = thrown(RateLimitException.class, () -> {
            while (true) {
                create(limited, "writer");
            }
        });
        same(e.code().orElseThrow(), "rate-limited");
        same(e.type().orElseThrow(), "rate_limit_error");
        check(!e.headers().values("Retry-After").isEmpty(), e.headers());
    }

    private void failed() {
        UnexpectedStatusCodeException e = thrown(UnexpectedStatusCodeException.class, () -> create(client, "broken"));
        same(e.statusCode(), 424);
        same(e.code().orElseThrow(), "model-authentication");
    }

    private void midStream() {
        OpenAIServiceException e = thrown(SseException.class, () -> {
            try (StreamResponse<ChatCompletionChunk> chunks = client.chat()
                    .completions()
                    .createStreaming(ChatScenarios.chat("broken", "Write.").build())) {
                chunks.stream().forEach(chunk -> {});
            }
        });
        same(e.code().orElseThrow(), "model-authentication");
    }

    /** The client checks the code, of which its description has OpenAI's only. */
    private void failedResponse() {
        try (StreamResponse<ResponseStreamEvent> events = client.withOptions(it -> it.responseValidation(true))
                .responses()
                .createStreaming(ResponseScenarios.response("broken", "Write.").build())) {
            Response response = events.stream().toList().getLast().asFailed().response();
            same(response.status().orElseThrow(), ResponseStatus.FAILED);
            ResponseError error = response.error().orElseThrow();
            same(error.code(), ResponseError.Code.SERVER_ERROR);
        }
    }
}
