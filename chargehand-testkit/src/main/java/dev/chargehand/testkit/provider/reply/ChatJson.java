package dev.chargehand.testkit.provider.reply;

import dev.chargehand.testkit.provider.request.FunctionCall;
import java.util.List;

/** Writes the JSON of the chat-completions wire. By hand: cheap, and free to be wrong where a script wants it. */
public final class ChatJson {
    private static final String HEAD = "{\"id\":\"chatcmpl-loopback\",\"object\":\"chat.completion";
    private static final String MODEL = "\",\"created\":1767225600,\"model\":\"loopback\",\"choices\":[";
    private static final String CHUNK = HEAD + ".chunk" + MODEL;

    private ChatJson() {}

    static String delta(String delta) {
        return CHUNK + "{\"index\":0,\"delta\":" + delta + ",\"finish_reason\":null}]}";
    }

    static String role() {
        return delta("{\"role\":\"assistant\",\"content\":\"\"}");
    }

    static String text(String text) {
        return delta("{\"content\":" + quote(text) + "}");
    }

    static String reasoning(String text) {
        return delta("{\"reasoning_content\":" + quote(text) + "}");
    }

    static String call(int index, FunctionCall call) {
        return delta("{\"tool_calls\":[{\"index\":" + index + "," + body(call) + "}]}");
    }

    static String arguments(int index, String fragment) {
        return delta(
                "{\"tool_calls\":[{\"index\":" + index + ",\"function\":{\"arguments\":" + quote(fragment) + "}}]}");
    }

    static String finish(String reason) {
        return CHUNK + "{\"index\":0,\"delta\":{},\"finish_reason\":" + quote(reason) + "}]}";
    }

    static String usage(TokenUsage usage) {
        return CHUNK + "],\"usage\":" + counts(usage) + "}";
    }

    static String noChoices() {
        return CHUNK + "]}";
    }

    public static String error(String message, int code) {
        return "{\"error\":{\"message\":" + quote(message) + ",\"type\":\"loopback\",\"param\":null,\"code\":" + code
                + "}}";
    }

    /** The whole answer to a request that wants no stream. */
    static String completion(String reasoning, String text, List<FunctionCall> calls, String finish, TokenUsage usage) {
        StringBuilder json =
                new StringBuilder(HEAD + MODEL + "{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
        json.append(text.isEmpty() && !calls.isEmpty() ? "null" : quote(text));
        if (!reasoning.isEmpty()) {
            json.append(",\"reasoning_content\":").append(quote(reasoning));
        }
        for (int i = 0; i < calls.size(); i++) {
            json.append(i == 0 ? ",\"tool_calls\":[{" : ",{")
                    .append(body(calls.get(i)))
                    .append('}');
        }
        json.append(calls.isEmpty() ? "" : "]").append("},\"finish_reason\":").append(quote(finish));
        return json.append("}],\"usage\":").append(counts(usage)).append('}').toString();
    }

    private static String body(FunctionCall call) {
        return "\"id\":" + quote(call.id()) + ",\"type\":\"function\",\"function\":{\"name\":" + quote(call.name())
                + ",\"arguments\":" + quote(call.arguments()) + "}";
    }

    private static String counts(TokenUsage usage) {
        return "{\"prompt_tokens\":" + usage.input() + ",\"completion_tokens\":" + usage.output()
                + ",\"total_tokens\":" + (usage.input() + usage.output())
                + ",\"prompt_tokens_details\":{\"cached_tokens\":" + usage.cachedInput()
                + "},\"completion_tokens_details\":{\"reasoning_tokens\":" + usage.reasoning() + "}}";
    }

    /** A JSON string. A lone surrogate is escaped, as UTF-8 cannot carry it. */
    static String quote(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c == '\n') {
                json.append("\\n");
            } else if (c < ' ' || (Character.isSurrogate(c) && !isPaired(text, i))) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    private static boolean isPaired(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
}
