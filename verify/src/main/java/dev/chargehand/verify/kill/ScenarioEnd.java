package dev.chargehand.verify.kill;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.verify.kill.plan.Plan;
import dev.chargehand.verify.kill.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the end of a killed run of an agent with an undisturbed one.
 *
 * @param result what the last process said of it
 * @param fault hears the kind of a fault and what it is
 */
record ScenarioEnd(
        Scenario scenario,
        Undisturbed undisturbed,
        Line result,
        Ledger ledger,
        Interruptions interruptions,
        BiConsumer<String, String> fault) {

    private static final Pattern FENCE = Pattern.compile("result-[0-9a-f]+");
    private static final Pattern OUTCOME = Pattern.compile("(\\w+)=(\\w+)");

    /** Check its answer, its effects and its thread. */
    void check(List<Message> thread) {
        String text = Json.parse(result.part(1)).string().orElse("");
        if (!result.part(0).equals(undisturbed.status().name())
                || !result.part(2).equals(undisturbed.stop())) {
            fault.accept("different", result.text() + " instead of " + undisturbed);
        }
        if (!known(text).equals(unfenced(undisturbed.text()))) {
            fault.accept("different", "the answer is <" + text + "> instead of <" + undisturbed.text() + ">");
        }
        effects(text);
        threadIsWhole(thread);
    }

    /**
     * A call that was interrupted may be reported as that, if its tool can only report it: its agent cannot know more.
     */
    private String known(String text) {
        String known = unfenced(text);
        for (Plan.Call call : scenario.plan().tools().toList()) {
            if (List.of("book", "pay", "ask").contains(call.tool())) {
                known = known.replace(call.slot() + "=unknown", call.slot() + "=ok");
            }
        }
        return known;
    }

    /** The mark of a fence is built from the text within, which may differ in what is known. */
    private static String unfenced(String text) {
        return FENCE.matcher(text).replaceAll("result");
    }

    private void effects(String text) {
        Matcher outcomes = OUTCOME.matcher(text.replace("\\n", "\n")); // of an object, the text is its JSON
        while (outcomes.find()) {
            int done = ledger.of(outcomes.group(1)).size();
            String became = outcomes.group(2);
            if (became.equals("ok") && done == 0) {
                fault.accept("lost", outcomes.group() + ", and it was never done");
            }
            if (became.equals("unknown") && done == 0 && !interruptions.mayHaveHit(outcomes.group(1))) {
                fault.accept("different", outcomes.group() + ", and nothing had interrupted it");
            }
            if (became.equals("declined") && done > 0) {
                fault.accept("different", outcomes.group() + ", and it was done");
            }
        }
    }

    private void threadIsWhole(List<Message> messages) {
        List<String> called = new ArrayList<>();
        List<String> answered = new ArrayList<>();
        messages.forEach(message -> {
            message.toolCalls().stream().map(Part.ToolCall::callId).forEach(called::add);
            message.toolResults().stream().map(Part.ToolResult::callId).forEach(answered::add);
        });
        if (!called.equals(answered)) {
            fault.accept("different", "the thread has calls " + called + " and results " + answered);
        }
        if (!messages.stream().map(Message::role).toList().equals(undisturbed.roles())) {
            fault.accept("different", "the thread is " + messages + " instead of " + undisturbed.roles());
        }
    }
}
