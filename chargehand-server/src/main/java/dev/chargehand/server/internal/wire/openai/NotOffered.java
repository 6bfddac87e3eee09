package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.server.internal.wire.Body;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parameters that change what is answered, and that no agent has. A request that has one is rejected. */
final class NotOffered {

    /** The rule of what is included. */
    static final String INCLUDES = "has a value that no response here can have";

    /** What no response here has, so that a request which wants it included is answered without it. */
    private static final Set<String> NEVER_THERE = Set.of(
            "file_search_call.results",
            "web_search_call.results",
            "web_search_call.action.sources",
            "computer_call_output.output.image_url",
            "code_interpreter_call.outputs",
            "reasoning.encrypted_content");

    /** What is always there. */
    private static final String IMAGES = "message.input_image.image_url";

    private static final Map<String, String> OF_CHATS = Map.of(
            "prediction", "is not offered",
            "web_search_options", "is not offered: an agent has tools of its own",
            "function_call", "is not offered: use 'tool_choice'");

    private static final Map<String, String> OF_RESPONSES = Map.of(
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
        if (body.json("audio").isPresent()) {
            throw body.problem("audio", "is not offered: answers are texts");
        }
        if (body.list("modalities").stream()
                .anyMatch(each -> !each.string().orElse("").equals("text"))) {
            throw body.problem("modalities", "must be [\"text\"]: answers are texts");
        }
    }

    /** Reject what responses do not offer. */
    static void rejectInResponse(Body body) {
        reject(body, OF_RESPONSES);
        Ignored.requireTypes(body);
        if (body.json("store").isPresent() && !body.flag("store")) {
            throw body.problem("store", "must be true: the runs of the server are stored");
        }
        if (!areIncludable(body.texts("include"))) {
            throw body.problem("include", INCLUDES);
        }
        if (body.json("conversation").isPresent()
                && body.json("previous_response_id").isPresent()) {
            throw body.problem(
                    "conversation", "must not be set with 'previous_response_id', whose conversation is continued");
        }
    }

    /** Return whether a response can have all that a client wants included. */
    static boolean areIncludable(List<String> values) {
        return values.stream().allMatch(value -> value.equals(IMAGES) || NEVER_THERE.contains(value));
    }

    private static void reject(Body body, Map<String, String> rules) {
        if (body.number("top_logprobs", 0).orElse(0) > 0) {
            throw body.problem("top_logprobs", "is not offered: an agent has no probabilities of tokens");
        }
        rules.forEach((name, rule) -> {
            if (body.json(name).isPresent()) {
                throw body.problem(name, rule);
            }
        });
    }
}
