package dev.chargehand.testkit.model;

import dev.chargehand.model.FinishReason;
import dev.chargehand.testkit.provider.reply.TokenUsage;
import dev.chargehand.testkit.provider.request.FunctionCall;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a provider, for any protocol.
 *
 * @param reasoning deltas of reasoning
 * @param signature what the provider wants back with the reasoning, or with the first call where it has none; empty if
 *     nothing
 * @param text deltas of text
 * @param calls tool calls
 * @param fragment how many characters of arguments an event brings, where the protocol can cut them
 * @param finish why the model stopped; null if the answer ends without a reason
 * @param usage the tokens it claims
 */
public record WireAnswer(
        List<String> reasoning,
        String signature,
        List<String> text,
        List<FunctionCall> calls,
        int fragment,
        @Nullable FinishReason finish,
        TokenUsage usage) {

    public WireAnswer {
        reasoning = List.copyOf(reasoning);
        text = List.copyOf(text);
        calls = List.copyOf(calls);
    }

    /** Answer with text, and stop. */
    public static WireAnswer text(String... deltas) {
        return new WireAnswer(List.of(), "", List.of(deltas), List.of(), 1000, FinishReason.STOP, TokenUsage.of(10, 5));
    }

    /** Answer with tool calls. */
    public static WireAnswer calls(FunctionCall... calls) {
        return new WireAnswer(
                List.of(), "", List.of(), List.of(calls), 1000, FinishReason.TOOL_CALLS, TokenUsage.of(10, 5));
    }

    /** Think this first. */
    public WireAnswer reasoning(String... deltas) {
        return new WireAnswer(List.of(deltas), signature, text, calls, fragment, finish, usage);
    }

    /** Want this back. */
    public WireAnswer signature(String value) {
        return new WireAnswer(reasoning, value, text, calls, fragment, finish, usage);
    }

    /** Say this before the calls. */
    public WireAnswer saying(String... deltas) {
        return new WireAnswer(reasoning, signature, List.of(deltas), calls, fragment, finish, usage);
    }

    /** Cut arguments into pieces of so many characters. */
    public WireAnswer fragment(int characters) {
        return new WireAnswer(reasoning, signature, text, calls, characters, finish, usage);
    }

    /** Stop for this reason; null for none. */
    public WireAnswer finish(@Nullable FinishReason reason) {
        return new WireAnswer(reasoning, signature, text, calls, fragment, reason, usage);
    }

    /** Claim these tokens. */
    public WireAnswer usage(TokenUsage counts) {
        return new WireAnswer(reasoning, signature, text, calls, fragment, finish, counts);
    }

    /** Return the arguments of a call, in pieces. */
    List<String> pieces(FunctionCall call) {
        String all = call.arguments();
        return IntStream.iterate(0, at -> at < all.length(), at -> at + fragment)
                .mapToObj(at -> all.substring(at, Math.min(all.length(), at + fragment)))
                .toList();
    }
}
