package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolHandler;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Tools and answers that many tests need. */
final class Steps {

    private Steps() {}

    /** An answer that is a text and nothing else. */
    static ModelResponse said(String text) {
        return new ModelResponse(text, "", List.of(), FinishReason.STOP, Usage.of(10, 5));
    }

    /** A tool that takes any arguments. */
    static Tool tool(String name, ToolHandler<Json> handler) {
        return Tool.builder(name, "Does " + name + ".")
                .input(Crew.ANYTHING)
                .handler(handler)
                .build();
    }

    /** A tool that takes any arguments, and whose calls wait for approval. */
    static Tool approvedTool(String name, ToolHandler<Json> handler) {
        return Tool.builder(name, "Does " + name + ".")
                .input(Crew.ANYTHING)
                .requiresApproval()
                .handler(handler)
                .build();
    }

    /** A tool that keeps the arguments of its calls. */
    static Tool noting(List<String> notes) {
        return tool("note", (in, ctx) -> {
            synchronized (notes) {
                notes.add(in.text());
            }
            return "noted";
        });
    }

    /** Calls the tool {@code ok} for ever, with other arguments each time. */
    static Function<ModelRequest, ModelResponse> counting() {
        return request -> new ModelResponse(
                "",
                "",
                List.of(new ModelResponse.RequestedCall(
                        "c", "ok", "{\"n\":" + request.messages().size() + "}")),
                FinishReason.TOOL_CALLS,
                Usage.of(10, 5));
    }

    /** An answer that makes one call. */
    static ModelResponse calling(String tool, String arguments) {
        return new ModelResponse(
                "",
                "",
                List.of(new ModelResponse.RequestedCall("c-" + tool, tool, arguments)),
                FinishReason.TOOL_CALLS,
                Usage.of(10, 5));
    }

    /** Notes something where a value is wanted, and gives that. */
    static <N, T> T noted(Collection<? super N> notes, N note, T value) {
        notes.add(note);
        return value;
    }

    /** Expects a mistake in what was configured, and words of its message. */
    static void assertMisconfigured(ThrowingCallable call, String... words) {
        AbstractThrowableAssert<?, ?> mistake = assertThatThrownBy(call).isInstanceOf(ConfigurationException.class);
        for (String word : words) {
            mistake.hasMessageContaining(word);
        }
    }

    /** Fails where a value is wanted. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // it gives no value
    static <T> T failing(RuntimeException failure) {
        throw failure;
    }
}
