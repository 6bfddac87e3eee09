package dev.chargehand.config.internal.offline;

import dev.chargehand.message.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The behaviour of an agent with sub-agents: each is called once, later ones with the findings of earlier ones. */
record Delegating(Conversation conversation, List<TextTool> subAgents) {

    Reply reply() {
        Optional<TextTool> next = subAgents.stream()
                .filter(agent -> conversation.calls().stream()
                        .noneMatch(call -> call.name().equals(agent.name())))
                .findFirst();
        boolean first = conversation.calls().stream().noneMatch(call -> subAgents.stream()
                .anyMatch(agent -> agent.name().equals(call.name())));
        String question = conversation.question();
        return next.<Reply>map(agent ->
                        new Reply.Call(agent, first ? conversation.prompt() : Findings.prompt(question, findings())))
                .orElseGet(() -> new Reply.Say(answer()));
    }

    private String withoutText() {
        return conversation.results().stream().anyMatch(ToolOutput::startsTask)
                ? "Sub-agents work on it in the background."
                : "No sub-agent gave an answer.";
    }

    private List<Part.ToolResult> answers() {
        return conversation.results().stream()
                .filter(result ->
                        subAgents.stream().anyMatch(agent -> agent.name().equals(result.toolName())))
                .filter(result -> !ToolOutput.startsTask(result))
                .toList();
    }

    /**
     * What the sub-agents found; of one that cites nothing, all it said, unless it is a stand-in that found nothing.
     */
    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(conversation.findings());
        for (Part.ToolResult answer : answers()) {
            String text = ToolOutput.text(answer);
            if (!answer.error()) {
                List<Finding> cited = Findings.in(text);
                findings.addAll(cited);
                if (cited.isEmpty() && !text.isBlank() && !text.contains(OfflineModel.NOTICE)) {
                    findings.add(new Finding("", "", text.strip()));
                }
            }
        }
        return Findings.distinct(findings);
    }

    /**
     * The last answer that cites something or says that no passage fits, else what the user said before, else the last answer
     * that says anything; then what went wrong.
     */
    private String answer() {
        List<String> texts = Stream.concat(
                        answers().stream().filter(answer -> !answer.error()).map(ToolOutput::text),
                        conversation.arrived().stream().map(ToolOutput::unfenced))
                .map(text -> text.replace(OfflineModel.NOTICE, "").strip())
                .filter(text -> !text.isEmpty())
                .toList();
        List<String> parts = new ArrayList<>();
        parts.add(texts.reversed().stream()
                .filter(text -> Findings.CITATION.matcher(text).find() || text.endsWith(Composing.NO_SENTENCE))
                .findFirst()
                .or(() -> texts.stream().allMatch(text -> text.startsWith(OfflineModel.NOTHING))
                        ? Recollection.answer(conversation)
                        : Optional.empty())
                .orElse(texts.isEmpty() ? withoutText() : texts.getLast()));
        answers().stream().filter(Part.ToolResult::error).map(ToolOutput::error).forEach(parts::add);
        return String.join("\n\n", parts);
    }
}
