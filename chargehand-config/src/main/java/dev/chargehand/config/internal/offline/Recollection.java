package dev.chargehand.config.internal.offline;

import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the user said before the question: earlier in the conversation, and in recalled messages. */
final class Recollection {

    /** Messages that a run recalled, as the framework writes them. */
    private static final Pattern RECALLED =
            Pattern.compile("(?s)<(recalled-[0-9a-f]{16})(?: [^>\\n]*)?>\\n(.*)\\n</\\1>");

    /** A result of a tool among them, which may look like anything. */
    private static final Pattern RESULT = Pattern.compile("(?s)<(result-[0-9a-f]{16})>\\n.*?\\n</\\1>");

    private static final Pattern LINE = Pattern.compile("\\[(user|assistant|result of [^],]*)(?:, ([^]]*))?] ?(.*)");

    private Recollection() {}

    /** Return the sentences that fit the question best, if any do. */
    static Optional<String> answer(Conversation conversation) {
        String question = conversation.question();
        List<Finding> said = said(conversation).stream()
                .filter(each ->
                        !question.contains(each.text())) // a sub-agent reads the words that it is called with twice
                .toList();
        return Composing.quote(said, question, 1);
    }

    /** Return what the user said, the latest of this conversation first; questions apart. */
    private static List<Finding> said(Conversation conversation) {
        List<Finding> said = new ArrayList<>();
        for (Message message : conversation.earlier().reversed()) {
            if (message.role() == Role.USER && !message.internal()) {
                add(said, "said earlier in this conversation", Findings.withoutFindings(message.text()));
            }
        }
        conversation.earlier().stream()
                .filter(message -> message.role() == Role.USER && message.internal())
                .forEach(message -> recalled(message.text(), said));
        return Findings.distinct(said);
    }

    private static void recalled(String text, List<Finding> said) {
        Matcher block = RECALLED.matcher(text);
        if (!block.find()) {
            return;
        }
        String source = "";
        StringBuilder words = new StringBuilder();
        for (String line : RESULT.matcher(block.group(2)).replaceAll("").lines().toList()) {
            Matcher start = LINE.matcher(line);
            if (start.matches()) {
                add(said, source, words.toString());
                words.setLength(0);
                String at = start.group(2) == null ? "earlier" : "on " + start.group(2);
                source = start.group(1).equals("user") ? "said " + at : "";
                words.append(start.group(3)).append('\n');
            } else {
                words.append(line).append('\n');
            }
        }
        add(said, source, words.toString());
    }

    private static void add(List<Finding> said, String source, String text) {
        if (!source.isEmpty()) {
            Sentences.of(text).stream()
                    .filter(sentence -> !sentence.endsWith("?"))
                    .forEach(sentence -> said.add(new Finding(source, "", sentence)));
        }
    }
}
