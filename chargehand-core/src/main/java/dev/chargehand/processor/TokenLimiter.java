package dev.chargehand.processor;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A processor that keeps a conversation below a number of tokens by omitting the oldest messages.
 *
 * <p>Before each model call, as an input processor. Instructions and other system messages always stay, as do the
 * current task and the newest message; a call is never split from its results. The stored conversation keeps
 * everything. Tokens are estimated, a token for every four characters, unless {@link #countedBy} is used. Definitions
 * of tools are not counted. Immutable.
 */
public final class TokenLimiter implements InputStepProcessor {

    private static final int PER_MESSAGE = 4;
    private static final int PER_IMAGE = 1_000;

    private final int most;
    private final ToIntFunction<String> count;

    private TokenLimiter(int most, ToIntFunction<String> count) {
        this.most = most;
        this.count = count;
    }

    /**
     * Limit a conversation.
     *
     * @param tokens how many it may have, above zero
     * @throws ConfigurationException if that is not above zero
     */
    public static TokenLimiter of(int tokens) {
        if (tokens < 1) {
            throw new ConfigurationException("A token limit must be at least 1, but is " + tokens + ".");
        }
        return new TokenLimiter(tokens, TokenLimiter::estimated);
    }

    /** Return how many tokens a message probably has: one for every four characters, 4 for itself, 1,000 for an image. */
    public static long estimate(Message message) {
        return tokens(message, TokenLimiter::estimated);
    }

    private static int estimated(String text) {
        return (text.length() + 3) / 4;
    }

    /** Return this with another way to count the tokens of a text, such as a tokenizer of the model; thread-safe. */
    @CheckReturnValue
    public TokenLimiter countedBy(ToIntFunction<String> counter) {
        return new TokenLimiter(most, counter);
    }

    @Override
    public String name() {
        return "token-limiter";
    }

    @Override
    public Processed<List<Message>> processInputStep(ProcessorContext context, List<Message> messages) {
        List<List<Message>> units = units(messages);
        long left = most - (long) count.applyAsInt(context.instructions());
        boolean[] kept = new boolean[units.size()];
        int task = lastOf(units, Role.USER);
        for (int i = 0; i < units.size(); i++) {
            kept[i] = i == task
                    || i == units.size() - 1
                    || units.get(i).getFirst().role() == Role.SYSTEM;
            left -= kept[i] ? tokens(units.get(i)) : 0;
        }
        for (int i = units.size() - 1; i >= 0; i--) {
            if (!kept[i]) {
                left -= tokens(units.get(i));
                if (left < 0) {
                    break;
                }
                kept[i] = true;
            }
        }
        List<Message> fits = new ArrayList<>();
        for (int i = 0; i < kept.length; i++) {
            if (kept[i]) {
                fits.addAll(units.get(i));
            }
        }
        return fits.size() == messages.size() ? Processed.unchanged() : Processed.rewritten(fits);
    }

    /** Call and their results belong together. */
    private static List<List<Message>> units(List<Message> messages) {
        List<List<Message>> units = new ArrayList<>();
        for (Message message : messages) {
            if (message.role() == Role.TOOL && !units.isEmpty()) {
                units.getLast().add(message);
            } else {
                units.add(new ArrayList<>(List.of(message)));
            }
        }
        return units;
    }

    private static int lastOf(List<List<Message>> units, Role role) {
        for (int i = units.size() - 1; i >= 0; i--) {
            if (units.get(i).getFirst().role() == role) {
                return i;
            }
        }
        return -1;
    }

    private long tokens(List<Message> unit) {
        long sum = 0;
        for (Message message : unit) {
            sum += tokens(message, count);
        }
        return sum;
    }

    private static long tokens(Message message, ToIntFunction<String> count) {
        long sum = PER_MESSAGE;
        for (Part part : message.parts()) {
            sum += tokens(part, count);
        }
        return sum;
    }

    private static long tokens(Part part, ToIntFunction<String> count) {
        return switch (part) {
            case Part.Text text -> count.applyAsInt(text.text());
            case Part.Reasoning ignored -> 0; // never sent back
            case Part.Image ignored -> PER_IMAGE;
            case Part.ToolCall call -> (long) count.applyAsInt(call.name()) + count.applyAsInt(call.arguments());
            case Part.ToolResult result -> count.applyAsInt(result.output());
        };
    }
}
