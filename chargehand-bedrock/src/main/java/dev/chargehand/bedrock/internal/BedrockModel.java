package dev.chargehand.bedrock.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.langchain4j.internal.Conversation;
import dev.chargehand.langchain4j.internal.Outgoing;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.provider.connection.Connections;
import dev.chargehand.provider.connection.Exchange;
import dev.chargehand.provider.connection.RequestBody;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.stream.ResponseBuilder;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.HttpHost;
import tools.jackson.core.JacksonException;

/** A model on Bedrock. Thread-safe. Each call makes one attempt on the calling thread. */
public final class BedrockModel implements Model {

    /** All results of an answer's calls are in one message, and pictures must be in the request. */
    private static final Conversation.Rules RULES = new Conversation.Rules(true, true, false);

    /** What Bedrock says of models that take tools, but only where the answer is not streamed. */
    private static final String NOT_STREAMED = "tool use in streaming mode";

    private final String name;
    private final String model;
    private final Place place;
    private final Access access;
    private final ProviderFaults faults;
    private final Exchange exchange;

    /** Whether Bedrock reported that of this model. */
    private volatile boolean callsInOnePiece;

    /**
     * Make a model; opens nothing.
     *
     * @param name what users know it by
     * @param model what Bedrock knows it by
     */
    public BedrockModel(String name, String model, Place place, Access access, Connections connections) {
        this.name = name;
        this.model = model;
        this.place = place;
        this.access = access;
        this.faults = new ProviderFaults(name, Access.HINT, access::secrets);
        this.exchange = new Exchange(connections, faults);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<String> secrets() {
        return access.secrets();
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
        boolean hasTools = !request.tools().isEmpty();
        byte[] body = body(request);
        if (hasTools && callsInOnePiece) {
            return whole(body, call);
        }
        try {
            return streamed(body, call);
        } catch (ModelException e) {
            if (!hasTools
                    || e.providerMessage()
                            .filter(words -> words.contains(NOT_STREAMED))
                            .isEmpty()) {
                throw e;
            }
            callsInOnePiece = true;
            return whole(body, call);
        }
    }

    private ModelResponse streamed(byte[] body, ModelCall call) throws InterruptedException {
        return send(true, EventStream.MEDIA_TYPE, body, call, (stream, mediaType, deltas, isCancelled) -> {
            ResponseBuilder answer = new ResponseBuilder(deltas, faults);
            return new EventStream(new ConverseEvents(answer, faults), answer, faults, isCancelled)
                    .read(stream, mediaType);
        });
    }

    private ModelResponse whole(byte[] body, ModelCall call) throws InterruptedException {
        return send(false, "application/json", body, call, (stream, mediaType, deltas, isCancelled) -> {
            ResponseBuilder answer = new ResponseBuilder(deltas, faults);
            return new ConverseDocument(new ConverseEvents(answer, faults), answer, faults).read(stream);
        });
    }

    private ModelResponse send(
            boolean isStream, String accepted, byte[] body, ModelCall call, Exchange.Reading<ModelResponse> reading)
            throws InterruptedException {
        URI uri = place.of(model, isStream, faults);
        Map<String, String> headers = access.headers(uri, body, faults);
        return exchange.send(
                new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort()),
                () -> post(uri, headers, accepted, body),
                call,
                access.secrets().stream().findFirst().orElse(""),
                reading);
    }

    private byte[] body(ModelRequest request) {
        Conversation conversation = Conversation.of(request.messages(), "", RULES, faults);
        try {
            return Trees.MAPPER.writeValueAsBytes(
                    new ConverseRequest(model, new Outgoing(request, conversation, null), faults).body());
        } catch (JacksonException e) {
            throw faults.invalidRequest("the request has a text or a schema that cannot be written as JSON");
        }
    }

    private static HttpPost post(URI uri, Map<String, String> headers, String accepted, byte[] body) {
        HttpPost post = new HttpPost(uri);
        headers.forEach(post::addHeader);
        post.setHeader("Accept", accepted);
        post.setHeader("Accept-Encoding", "identity");
        post.setEntity(new RequestBody(body));
        return post;
    }
}
