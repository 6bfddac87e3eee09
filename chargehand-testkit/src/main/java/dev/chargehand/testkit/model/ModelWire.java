package dev.chargehand.testkit.model;

import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Framing;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.WireReply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.util.List;
import java.util.Set;

/**
 * A provider's protocol as its server speaks it, over a {@link LoopbackProvider}.
 *
 * <p>There are {@link #chatCompletions}, {@link #mistral}, {@link #anthropic}, {@link #gemini}, {@link #ollama} and
 * {@link #bedrock}. Implementations are stateless.
 */
public interface ModelWire {

    /** Where errors may be: the protocol's own word for each is in {@link #error}. */
    enum Trouble {
        /** The provider has too much to do. */
        OVERLOADED(529),
        /** There were too many requests. */
        RATE_LIMIT(429),
        /** The request cannot be answered. */
        INVALID_REQUEST(400),
        /** The key is not accepted. */
        AUTHENTICATION(401);

        private final int status;

        Trouble(int status) {
            this.status = status;
        }

        /** Return the HTTP status that goes with it. */
        public int status() {
            return status;
        }
    }

    /** Return what its models can be asked for. */
    Set<Capability> can();

    /** Return where the API of a provider on this machine starts. */
    String baseUrl(LoopbackProvider provider);

    /** Return the media type of its streams. */
    String mediaType();

    /** Write an answer as its events, each as its bytes are on the wire. */
    List<byte[]> events(WireAnswer answer);

    /** Write an event with this data, JSON or not. */
    byte[] event(String data);

    /** Write the start of an event that is far too long, up to where its data starts. */
    byte[] endless();

    /** Write the error object of some trouble, as it is in a document or as the data of an event. */
    String error(Trouble trouble, String message);

    /** Return what a strict server would reject a request for; empty if it is fine. */
    List<String> problems(ReceivedRequest request);

    /** Return the instructions of a request: the texts that stand before the conversation, one below the other. */
    String instructions(ReceivedRequest request);

    /** Start a streamed reply. */
    default WireReply begin() {
        return Reply.status(200).framing(Framing.CHUNKED).header("Content-Type", mediaType());
    }

    /** Make the whole reply of an answer. */
    default WireReply reply(WireAnswer answer) {
        return reply(events(answer));
    }

    /** Make a streamed reply of events. */
    default WireReply reply(List<byte[]> events) {
        WireReply reply = begin();
        for (byte[] event : events) {
            reply = reply.body(event, 1);
        }
        return reply;
    }

    /** Make a reply with a status and an error object. */
    default WireReply failure(int status, Trouble trouble, String message) {
        return Reply.status(status).body(error(trouble, message));
    }

    /** Return OpenAI's chat completions. */
    static ModelWire chatCompletions() {
        return new ChatCompletionsWire(false);
    }

    /** Return chat completions as Mistral speaks them. */
    static ModelWire mistral() {
        return new ChatCompletionsWire(true);
    }

    /** Return Anthropic's messages. */
    static ModelWire anthropic() {
        return new AnthropicWire();
    }

    /** Return Gemini's generateContent. */
    static ModelWire gemini() {
        return new GeminiWire();
    }

    /** Return Amazon Bedrock's Converse. */
    static ModelWire bedrock() {
        return new BedrockWire();
    }

    /** Return Ollama's chat. */
    static ModelWire ollama() {
        return new OllamaWire();
    }
}
