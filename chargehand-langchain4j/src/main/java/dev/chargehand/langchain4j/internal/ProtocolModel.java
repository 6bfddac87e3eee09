package dev.chargehand.langchain4j.internal;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.langchain4j.internal.wire.Endpoint;
import dev.chargehand.langchain4j.internal.wire.Errors;
import dev.chargehand.langchain4j.internal.wire.EventBody;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.provider.connection.Connections;
import dev.chargehand.provider.connection.Exchange;
import dev.chargehand.provider.connection.RequestBody;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.SecretHeaders;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.net.URI;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.HttpHost;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model behind a protocol of its own: LangChain4j writes the request, our connections carry it, our reader reads the
 * answer.
 *
 * <p>Thread-safe. Each call makes one attempt on the calling thread.
 */
public final class ProtocolModel implements Model {

    private final Protocol protocol;
    private final Endpoint endpoint;
    private final ProviderFaults faults;
    private final Exchange exchange;

    /** Make a model; opens nothing. */
    public ProtocolModel(Protocol protocol, Endpoint endpoint, Connections connections) {
        this.protocol = protocol;
        this.endpoint = endpoint;
        this.faults = new ProviderFaults(endpoint.displayName(), endpoint.keyHint(), this::secrets);
        this.exchange = new Exchange(connections, faults);
    }

    @Override
    public String name() {
        return endpoint.displayName();
    }

    @Override
    public Set<String> secrets() {
        String key = endpoint.currentKey();
        return key.isEmpty() ? Set.of() : Set.of(key);
    }

    @Override
    public boolean hasFormatFor(JsonSchema schema) {
        return protocol.formatOf(endpoint.model()) != Protocol.ResponseFormat.NEVER
                && schema.json()
                        .at("/type")
                        .flatMap(Json::string)
                        .filter("object"::equals)
                        .isPresent();
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
        String key = faults.usable(endpoint.currentKey(), endpoint.needsKey());
        Outgoing outgoing = outgoing(request);
        HttpRequest written = written(outgoing, key);
        byte[] body = completed(written.body(), outgoing);
        URI uri = URI.create(written.url());
        return exchange.send(
                new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort()),
                () -> post(uri, written, body),
                call,
                key,
                (stream, mediaType, deltas, isCancelled) -> {
                    ResponseBuilder answer = new ResponseBuilder(deltas, faults);
                    Errors errors = new Errors(faults, key);
                    return new EventBody(
                                    protocol.isLines(), protocol.events(answer, errors), answer, errors, isCancelled)
                            .read(stream, mediaType);
                });
    }

    private Outgoing outgoing(ModelRequest request) {
        JsonSchema output = request.output();
        boolean taken = output != null && hasFormatFor(output);
        boolean inInstructions = taken
                && protocol.formatOf(endpoint.model()) == Protocol.ResponseFormat.WITHOUT_TOOLS
                && !request.tools().isEmpty();
        String words = inInstructions && output != null
                ? "Once you call no more tools, answer with nothing but one JSON value that fits this JSON Schema:\n"
                        + output.json().text()
                : "";
        Conversation conversation = Conversation.of(request.messages(), words, protocol.rules(), faults);
        return new Outgoing(request, conversation, taken && !inInstructions ? output : null);
    }

    private HttpRequest written(Outgoing outgoing, String key) {
        LibraryClient client = new LibraryClient();
        try {
            protocol.library(client, endpoint, key, outgoing).chat(chatRequest(outgoing), Unused.HANDLER);
        } catch (RuntimeException e) {
            // Its exceptions may quote what is in the request.
            throw faults.invalidRequest("the request cannot be put into the provider's form ("
                    + e.getClass().getSimpleName() + ")");
        }
        HttpRequest written = client.request();
        if (written == null || written.body() == null) {
            throw faults.invalidRequest("the request cannot be put into the provider's form");
        }
        return written;
    }

    private ChatRequest chatRequest(Outgoing outgoing) {
        ModelSettings settings = outgoing.settings();
        ChatRequest.Builder chat = ChatRequest.builder()
                .messages(outgoing.conversation().messages())
                .modelName(endpoint.model())
                .toolSpecifications(
                        outgoing.tools().stream().map(ProtocolModel::tool).toList());
        if (settings.temperature() != null) {
            chat.temperature(settings.temperature());
        }
        if (settings.topP() != null) {
            chat.topP(settings.topP());
        }
        if (settings.maxOutputTokens() != null) {
            chat.maxOutputTokens(settings.maxOutputTokens());
        }
        if (!settings.stopSequences().isEmpty()) {
            chat.stopSequences(settings.stopSequences());
        }
        return chat.build();
    }

    /** The library's form of a schema is narrower than JSON Schema: ours replaces it when the body is completed. */
    private static ToolSpecification tool(ToolDefinition tool) {
        return ToolSpecification.builder()
                .name(tool.name())
                .description(tool.description())
                .parameters(JsonObjectSchema.builder().build())
                .build();
    }

    private byte[] completed(String written, Outgoing outgoing) {
        try {
            ObjectNode body = (ObjectNode) Trees.MAPPER.readTree(written);
            protocol.complete(body, endpoint, outgoing);
            return Trees.MAPPER.writeValueAsBytes(body);
        } catch (JacksonException e) {
            throw faults.invalidRequest("the request has a text or a schema that cannot be written as JSON");
        }
    }

    private HttpPost post(URI uri, HttpRequest written, byte[] body) {
        HttpPost post = new HttpPost(uri);
        written.headers().forEach((name, values) -> {
            boolean ours = name.equalsIgnoreCase("User-Agent") || name.equalsIgnoreCase("Content-Type");
            if (!ours) {
                values.forEach(value -> post.addHeader(name, headerText(value)));
            }
        });
        post.setHeader("Accept", protocol.isLines() ? "application/x-ndjson" : "text/event-stream");
        post.setHeader("Accept-Encoding", "identity");
        post.setEntity(new RequestBody(body));
        return post;
    }

    private String headerText(String value) {
        if (!SecretHeaders.isSendable(value)) {
            throw faults.invalidRequest("a header has characters that cannot be sent");
        }
        return value;
    }

    /** The library's listener, which is never called: see {@link LibraryClient}. */
    private enum Unused implements StreamingChatResponseHandler {
        HANDLER;

        @Override
        public void onCompleteResponse(ChatResponse response) {}

        @Override
        public void onError(Throwable error) {}
    }
}
