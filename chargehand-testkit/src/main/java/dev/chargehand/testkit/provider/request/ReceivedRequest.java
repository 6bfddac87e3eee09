package dev.chargehand.testkit.provider.request;

import dev.chargehand.internal.text.Counted;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hold one request as it reached the provider.
 *
 * <p>Immutable and safe to share. The body is parsed when it is first asked about.
 */
public final class ReceivedRequest {
    private final long sequence;
    private final long connection;
    private final Incoming incoming;

    public ReceivedRequest(long sequence, long connection, Incoming incoming) {
        this.sequence = sequence;
        this.connection = connection;
        this.incoming = incoming;
    }

    /** Return the request's place in the order of arrival, from 1. */
    public long sequence() {
        return sequence;
    }

    /** Return the number of the connection it came on, from 1; requests with the same number shared it. */
    public long connection() {
        return connection;
    }

    /** Return when its first byte was read. */
    public Instant arrivedAt() {
        return incoming.arrivedAt;
    }

    /** Return when its first byte was read, in nanoseconds of {@link System#nanoTime()}. */
    public long arrivedNanos() {
        return incoming.arrivedNanos;
    }

    /** Return the HTTP method. */
    public String method() {
        return incoming.method;
    }

    /** Return the request target, query included. */
    public String path() {
        return incoming.path;
    }

    /** Return the headers; names compare without case. */
    public Map<String, List<String>> headers() {
        return incoming.headers;
    }

    /** Return the first header of this name, in any case. */
    public Optional<String> header(String name) {
        return incoming.headers.getOrDefault(name, List.of()).stream().findFirst();
    }

    /** Return the body as text. */
    public String body() {
        return new String(incoming.body, StandardCharsets.UTF_8);
    }

    /** Return the size of the body in bytes. */
    public int bodyBytes() {
        return incoming.body.length;
    }

    /** Report whether it was posted to chat completions. */
    public boolean isChat() {
        return incoming.isChat();
    }

    /** Report whether it was posted to embeddings. */
    public boolean isEmbeddings() {
        return incoming.isEmbeddings();
    }

    /** Return the texts of an embeddings request; empty for any other, or if they could not be read. */
    public List<String> texts() {
        return incoming.texts();
    }

    /** Return what it asks for; {@link ChatRequest#problem()} says when the body could not be read. */
    public ChatRequest chat() {
        return incoming.chat();
    }

    /** Return the model's name, or an empty text. */
    public String model() {
        return chat().model();
    }

    /** Return the messages in order. */
    public List<ChatMessage> messages() {
        return chat().messages();
    }

    /** Return the names of the offered functions. */
    public List<String> toolNames() {
        return chat().toolNames();
    }

    /** Return the texts of all system messages, one per line. */
    public String systemText() {
        return chat().systemText();
    }

    /** Return the text of the last user message, or an empty text. */
    public String lastUserText() {
        return chat().lastText("user");
    }

    /**
     * Read one value of the body by its JSON pointer, such as {@code /tool_choice} or {@code /messages/0/content}.
     *
     * @return a string's text, the JSON of any other value; empty where there is none or the body is not JSON
     */
    public Optional<String> at(String pointer) {
        return ChatRequestParser.at(incoming.body, pointer);
    }

    /** Name the request without its headers and body, so that no key and no prompt gets into a test's output. */
    @Override
    public String toString() {
        return "request " + sequence + " (" + method() + " " + path()
                + (isChat()
                        ? ", model '" + model() + "', " + Counted.of(messages().size(), "message")
                        : "")
                + (isEmbeddings() ? ", model '" + model() + "', " + texts().size() + " texts" : "") + ")";
    }
}
