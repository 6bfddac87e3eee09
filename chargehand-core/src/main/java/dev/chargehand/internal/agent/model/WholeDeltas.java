package dev.chargehand.internal.agent.model;

import dev.chargehand.internal.text.WholeCharacters;
import dev.chargehand.model.ModelDelta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the texts of an answer well formed while they arrive, one by one: a pair of surrogates that is cut between two
 * deltas stays a pair. Used by one thread at a time.
 */
final class WholeDeltas {

    private final WholeCharacters text = new WholeCharacters();
    private final WholeCharacters reasoning = new WholeCharacters();
    private Map<Integer, WholeCharacters> calls = Map.of(); // until there is one

    /** Add what is whole of a delta and what was withheld before it; nothing if it is half a character. */
    void next(ModelDelta delta, List<ModelDelta> into) {
        switch (delta) {
            case ModelDelta.Text more -> {
                String whole = text.next(more.text());
                if (!whole.isEmpty() || more.text().isEmpty()) {
                    into.add(new ModelDelta.Text(whole));
                }
            }
            case ModelDelta.Reasoning more -> {
                String whole = reasoning.next(more.text());
                if (!whole.isEmpty() || more.text().isEmpty()) {
                    into.add(new ModelDelta.Reasoning(whole));
                }
            }
            case ModelDelta.ToolCallArguments more -> {
                String whole = call(more.index()).next(more.fragment());
                if (!whole.isEmpty() || more.fragment().isEmpty()) {
                    into.add(new ModelDelta.ToolCallArguments(more.index(), whole));
                }
            }
            case ModelDelta.ToolCallStart start -> into.add(start);
            case ModelDelta.ToolCallEnd end -> {
                String rest = calls.containsKey(end.index())
                        ? calls.remove(end.index()).end()
                        : "";
                if (!rest.isEmpty()) {
                    into.add(new ModelDelta.ToolCallArguments(end.index(), rest));
                }
                into.add(end);
            }
        }
    }

    private WholeCharacters call(int index) {
        if (calls.isEmpty()) {
            calls = new TreeMap<>();
        }
        return calls.computeIfAbsent(index, any -> new WholeCharacters());
    }

    /** Return what stands for halves that are left, now that the answer is complete. */
    List<ModelDelta> end() {
        List<ModelDelta> rest = new ArrayList<>(2);
        String lastReasoning = reasoning.end();
        if (!lastReasoning.isEmpty()) {
            rest.add(new ModelDelta.Reasoning(lastReasoning));
        }
        String lastText = text.end();
        if (!lastText.isEmpty()) {
            rest.add(new ModelDelta.Text(lastText));
        }
        return rest;
    }
}
