package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.request.ChatMessage;
import dev.chargehand.testkit.provider.request.ChatRequest;
import dev.chargehand.testkit.provider.request.ChatRequestParser;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.Incoming;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks one request; made for it and thrown away. Details never quote a message or a forbidden string. */
final class RequestChecker {
    private static final Set<String> ROLES = Set.of("system", "developer", "user", "assistant", "tool");
    private static final Set<String> CREDENTIALS =
            Set.of("authorization", "proxy-authorization", "api-key", "x-api-key");
    private static final Pattern FUNCTION_NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    private final Incoming request;
    private final ProviderOptions options;
    private final List<Finding> findings = new ArrayList<>();

    /** What was found, before the request has its number. */
    record Finding(Rule rule, String detail) {
        Violation in(long sequence) {
            return new Violation(sequence, rule, detail);
        }
    }

    private RequestChecker(Incoming request, ProviderOptions options) {
        this.request = request;
        this.options = options;
    }

    static List<Finding> check(Incoming request, ProviderOptions options, List<String> forbidden) {
        RequestChecker checker = new RequestChecker(request, options);
        if (!forbidden.isEmpty() && options.rules().contains(Rule.FORBIDDEN_TEXT)) {
            checker.forbidden(forbidden);
        }
        if (request.isChat() && !options.rules().isEmpty()) {
            checker.chat(request.chat());
        }
        if (request.isEmbeddings() && !options.rules().isEmpty()) {
            checker.embeddings();
        }
        return List.copyOf(checker.findings);
    }

    private void broken(Rule rule, String detail) {
        if (options.rules().contains(rule)) {
            findings.add(new Finding(rule, detail));
        }
    }

    private void embeddings() {
        size();
        if (!request.chat().problem().isEmpty()) {
            broken(Rule.READABLE_BODY, request.chat().problem());
        } else if (request.chat().model().isEmpty() || request.texts().isEmpty()) {
            broken(Rule.READABLE_BODY, "the body needs a model and at least one text");
        } else if (request.texts().stream().anyMatch(String::isEmpty)) {
            broken(Rule.READABLE_BODY, "the body has an empty text");
        }
    }

    private void size() {
        if (request.body.length > options.maxBodyBytes()) {
            broken(
                    Rule.BODY_SIZE,
                    "the body has " + request.body.length + " bytes; " + options.maxBodyBytes() + " are allowed");
        }
    }

    private void chat(ChatRequest chat) {
        size();
        if (!chat.problem().isEmpty()) {
            broken(Rule.READABLE_BODY, chat.problem());
            return;
        }
        if (chat.model().isEmpty() || chat.messages().isEmpty()) {
            broken(Rule.READABLE_BODY, "the body needs a model and at least one message");
        }
        systemMessages(chat.messages());
        pairs(chat.messages());
        Set<String> offered = new HashSet<>();
        for (String name : chat.toolNames()) {
            functionName(name, "tools");
            if (!offered.add(name)) {
                broken(Rule.FUNCTION_NAME, "tool '" + name + "' is offered twice");
            }
        }
    }

    private void systemMessages(List<ChatMessage> messages) {
        int head = 0;
        while (head < messages.size() && messages.get(head).isSystem()) {
            head++;
        }
        if (head > 1) {
            broken(Rule.ONE_SYSTEM_MESSAGE, head + " system messages before the first other message");
        }
        for (int i = 0; i < messages.size(); i++) {
            if (!ROLES.contains(messages.get(i).role())) {
                broken(
                        Rule.KNOWN_ROLE,
                        "messages[" + i + "] has the role '" + messages.get(i).role() + "'");
            }
        }
    }

    /** Walk the list once; {@code open} are the calls of the assistant message that still wait for a result. */
    private void pairs(List<ChatMessage> messages) {
        Set<String> seen = new HashSet<>();
        Set<String> answered = new HashSet<>();
        Set<String> open = new LinkedHashSet<>();
        for (int i = 0; i < messages.size(); i++) {
            ChatMessage message = messages.get(i);
            String where = "messages[" + i + "]";
            if (message.role().equals("tool")) {
                result(message.toolCallId(), where, open, answered);
                continue;
            }
            unanswered(open, where);
            open.clear();
            for (FunctionCall call : message.toolCalls()) {
                functionName(call.name(), where);
                if (call.id().isEmpty() || !seen.add(call.id())) {
                    broken(Rule.UNIQUE_CALL_ID, where + ": tool call id '" + call.id() + "' is empty or used before");
                }
                open.add(call.id());
            }
        }
        unanswered(open, "the end of the list");
    }

    private void result(String id, String where, Set<String> open, Set<String> answered) {
        if (open.remove(id)) {
            answered.add(id);
        } else if (answered.contains(id)) {
            broken(Rule.RESULT_HAS_CALL, where + ": tool call '" + id + "' is answered again");
        } else {
            broken(Rule.RESULT_HAS_CALL, where + ": no open tool call '" + id + "' in the assistant message before");
        }
    }

    private void unanswered(Set<String> open, String where) {
        for (String id : open) {
            broken(Rule.CALL_HAS_RESULT, "tool call '" + id + "' has no result before " + where);
        }
    }

    private void functionName(String name, String where) {
        if (!FUNCTION_NAME.matcher(name).matches()) {
            broken(Rule.FUNCTION_NAME, where + ": function name '" + name + "' is not 1 to 64 of a-z A-Z 0-9 _ -");
        }
    }

    private void forbidden(List<String> forbidden) {
        String body = new String(request.body, StandardCharsets.UTF_8);
        List<String> strings = ChatRequestParser.strings(request.body);
        for (int i = 0; i < forbidden.size(); i++) {
            String text = forbidden.get(i);
            String which = "forbidden text " + (i + 1) + " of " + forbidden.size() + " is in ";
            if (body.contains(text) || strings.stream().anyMatch(s -> s.contains(text))) {
                broken(Rule.FORBIDDEN_TEXT, which + "the body");
            }
            if (request.path.contains(text)) {
                broken(Rule.FORBIDDEN_TEXT, which + "the path");
            }
            request.headers.forEach((name, values) -> {
                if (!CREDENTIALS.contains(name.toLowerCase(Locale.ROOT))
                        && values.stream().anyMatch(v -> v.contains(text))) {
                    broken(Rule.FORBIDDEN_TEXT, which + "header " + name);
                }
            });
        }
    }
}
