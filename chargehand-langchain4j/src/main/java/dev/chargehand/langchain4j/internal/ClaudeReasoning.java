package dev.chargehand.langchain4j.internal;

import dev.chargehand.model.ModelSettings;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The reasoning settings of Anthropic's models, for any provider that offers them. */
public final class ClaudeReasoning {

    /** The longest answer, where it has to be said; most models can write longer ones, none of today's less. */
    public static final int MAX_TOKENS = 8192;

    /** The reasoning budgets, for models that accept a budget only. */
    private static final Map<String, Integer> BUDGETS =
            Map.of("minimal", 1024, "low", 2048, "medium", 8192, "high", 16_384, "max", 32_000);

    /** Models that reason by a budget; later ones decide themselves, by an effort. */
    private static final Pattern BY_BUDGET =
            Pattern.compile("claude-3.*|claude-(opus|sonnet|haiku)-4(-[015])?([-@]20[0-9]{6}|-latest)?");

    /** Models from Opus 4.7 on, which reject settings of the sampling. */
    private static final Pattern WITHOUT_SAMPLING =
            Pattern.compile("claude-opus-4-([7-9]|[1-9][0-9])([-@].*)?|claude-[a-z]+-([5-9]|[1-9][0-9])([-@].*)?");

    private ClaudeReasoning() {}

    /** Return whether a model rejects a temperature and the like; {@code model} is the name that Anthropic gave it. */
    public static boolean isWithoutSampling(String model) {
        return WITHOUT_SAMPLING.matcher(model).matches();
    }

    /**
     * Write the reasoning effort, if the request sets one and the provider allows it.
     *
     * @param mark whose thoughts have to be there
     * @param model the name that Anthropic gave it
     * @return the budget in tokens; 0 if the model takes an effort; null if nothing was written
     */
    public static @Nullable Integer write(ObjectNode fields, String mark, String model, Outgoing outgoing) {
        ModelSettings settings = outgoing.settings();
        String effort = settings.reasoningEffort();
        if (effort == null || effort.equals("none") || outgoing.mustCall() || lacksThoughts(mark, outgoing)) {
            return null;
        }
        Integer budget = budget(effort, model);
        if (budget == null) {
            fields.putObject("thinking").put("type", "adaptive").put("display", "summarized");
            fields.withObject("/output_config").put("effort", effort);
            return 0;
        }
        fields.putObject("thinking").put("type", "enabled").put("budget_tokens", budget);
        return budget;
    }

    /** Return the tokens that a model may think for; null if it takes an effort. */
    private static @Nullable Integer budget(String effort, String model) {
        if (effort.chars().allMatch(Character::isDigit) && effort.length() < 7) {
            return Math.max(1024, Integer.parseInt(effort));
        }
        return BY_BUDGET.matcher(model).matches() ? BUDGETS.getOrDefault(effort, BUDGETS.get("medium")) : null;
    }

    /** Tools that were called without thinking, perhaps by another model: continuing with thinking is rejected. */
    private static boolean lacksThoughts(String mark, Outgoing outgoing) {
        return outgoing.conversation().sinceTheUserSpoke().stream()
                .anyMatch(said ->
                        !said.calls().isEmpty() && Thoughts.blocks(mark, said).isEmpty());
    }
}
