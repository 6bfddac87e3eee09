package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.server.internal.wire.Body;
import java.util.Map;

/** Parameters that change what is answered, and that no agent has. A request that has one is rejected. */
final class NotOffered {

    private static final Map<String, String> OF_CHATS = Map.of(
            "top_logprobs", "is not offered: an agent has no probabilities of tokens",
            "prediction", "is not offered",
            "web_search_options", "is not offered: an agent has tools of its own",
            "function_call", "is not offered: use 'tool_choice'");

    private static final Map<String, String> OF_RESPONSES = Map.of(
            "top_logprobs", "is not offered: an agent has no probabilities of tokens",
            "prompt", "is not offered: an agent has instructions of its own",
            "max_tool_calls", "is not offered: an agent has limits of its own",
            "context_management", "is not offered: an agent manages its context itself");

    private NotOffered() {}

    /** Reject what chat completions do not offer. */
    static void rejectInChat(Body body) {
        reject(body, OF_CHATS);
        Ignored.requireTypes(body);
        if (body.number("n").orElse(1) > 1) {
            throw body.problem("n", "must be 1: a run has one answer");
        }
        if (body.flag("logprobs")) {
            throw body.problem("logprobs", "is not offered");
        }
        if (body.json("audio").isPresent()
                || body.list("modalities").stream()
                        .anyMatch(each -> !each.string().orElse("").equals("text"))) {
            throw body.problem("audio", "is not offered: answers are texts");
        }
    }

    /** Reject what responses do not offer. */
    static void rejectInResponse(Body body) {
        reject(body, OF_RESPONSES);
        Ignored.requireTypes(body);
        if (body.json("store").isPresent() && !body.flag("store")) {
            throw body.problem("store", "must be true: the runs of the server are stored");
        }
        if (!body.list("include").isEmpty()) {
            throw body.problem("include", "must be empty: a response has no further values");
        }
        if (body.json("conversation").isPresent()
                && body.json("previous_response_id").isPresent()) {
            throw body.problem(
                    "conversation", "must not be set with 'previous_response_id', whose conversation is continued");
        }
    }

    private static void reject(Body body, Map<String, String> rules) {
        rules.forEach((name, rule) -> {
            if (body.json(name).isPresent()) {
                throw body.problem(name, rule);
            }
        });
    }
}
