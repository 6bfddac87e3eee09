package dev.chargehand.internal.engine.version;

import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.background.Disposition;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.AgentDefinition.DelegationTerms;
import dev.chargehand.internal.definition.AgentDefinition.Functions;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.processor.Processor;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the agent in code decides for each of its stored versions: its limits, its approval policy, its hooks and processors, which of
 * its delegations may be background tasks, and the types of its delegations. A version decides the texts, the models, the tools and sub-agents, and the settings that are listed here.
 */
final class VersionFrame {

    /** How many steps a version may set where the agent in code sets none: the lower of the defaults. */
    private static final int STEPS = 5;

    /** The settings of a version that are used as they are; all others are those of the agent in code. */
    private static final List<Option<?>> OWN = List.of(
            Options.MODEL_SETTINGS,
            Options.SUB_AGENT_CONTEXT,
            Options.BAIL_STRATEGY,
            Options.CANCEL_SIBLINGS,
            Options.SUB_AGENT_TOOL_RESULTS,
            Options.RESULT_REFERENCES);

    private static final List<Option<Integer>> BOUNDS =
            List.of(Options.RETRIES, Options.TOOL_CALL_CONCURRENCY, Options.MAX_PROCESSOR_RETRIES);

    private static final List<Option<List<Processor>>> PROCESSORS =
            List.of(Options.INPUT_PROCESSORS, Options.OUTPUT_PROCESSORS);

    private VersionFrame() {}

    /** Return what a version sets and must not, in words. */
    static List<String> mistakes(AgentDefinition code, AgentDefinition version) {
        OptionValues there = code.defaultOptions();
        OptionValues here = version.defaultOptions();
        List<String> mistakes = new ArrayList<>();
        Integer steps = here.get(Options.MAX_STEPS);
        if (steps != null && steps > mostSteps(there)) {
            mistakes.add("maxSteps is " + steps + ", but at most " + mostSteps(there) + " are allowed"
                    + (there.get(Options.MAX_STEPS) == null ? ", since the agent in code sets none" : ""));
        }
        for (Option<Integer> bound : BOUNDS) {
            if (here.get(bound) > there.get(bound)) {
                mistakes.add(
                        bound.name() + " is " + here.get(bound) + ", but at most " + there.get(bound) + " is allowed");
            }
        }
        for (Option<List<Processor>> processors : PROCESSORS) {
            List<String> names = names(here.get(processors));
            if (!names.isEmpty() && !names.equals(names(there.get(processors)))) {
                mistakes.add(processors.name() + " are " + String.join(", ", names)
                        + ", but those of the agent in code are used; leave them out");
            }
        }
        BackgroundOptions background = version.background();
        if (background.isUsed() && !tasks(background).equals(tasks(code.background()))) {
            mistakes.add("background has other settings than that of the agent in code, which is used; leave it out");
        }
        return mistakes;
    }

    private static int mostSteps(OptionValues code) {
        Integer set = code.get(Options.MAX_STEPS);
        return set == null ? STEPS : set;
    }

    private static List<String> names(List<Processor> processors) {
        return processors.stream().map(Processor::name).toList();
    }

    /** Return the settings of background tasks that a document can have. */
    private static List<@Nullable Object> tasks(BackgroundOptions options) {
        Map<String, Disposition> agents = new HashMap<>();
        options.agentKeys().forEach(key -> agents.put(key, options.ofAgent(key)));
        Map<String, Disposition> workflows = new HashMap<>();
        options.workflowKeys().forEach(key -> workflows.put(key, options.ofWorkflow(key)));
        return Arrays.asList(agents, workflows, options.ofOthers(), options.timeout(), options.retries());
    }

    /** Return a version as it is executed. The agent in code may be stricter now than when the version was saved. */
    static AgentDefinition around(AgentDefinition code, AgentDefinition version) {
        DelegationTerms terms = code.delegation();
        return new AgentDefinition(
                code.id(),
                version.version(),
                code.name(),
                version.description(),
                functions(code.functions(), version.functions()),
                version.agents(),
                version.workflows(),
                options(code.defaultOptions(), version.defaultOptions()),
                version.memory(),
                new DelegationTerms(
                        terms.acceptsInstructions(),
                        terms.acceptsMaxSteps(),
                        terms.input(),
                        terms.output(),
                        version.delegation().memory()),
                code.background());
    }

    private static OptionValues options(OptionValues code, OptionValues version) {
        OptionValues options = code;
        for (Option<?> own : OWN) {
            options = copy(own, version, options);
        }
        for (Option<Integer> bound : BOUNDS) {
            options = options.with(bound, Math.min(code.get(bound), version.get(bound)));
        }
        Integer steps = version.get(Options.MAX_STEPS);
        if (steps != null) {
            options = options.with(Options.MAX_STEPS, Math.min(steps, mostSteps(code)));
        }
        if (version.get(Options.STRUCTURED_OUTPUT) != null) {
            options = copy(Options.STRUCTURED_OUTPUT, version, options);
        }
        if (version.get(Options.COMPLETION) != null) {
            options = copy(Options.COMPLETION, version, options);
        }
        boolean allNeedApproval =
                code.get(Options.ALL_TOOLS_NEED_APPROVAL) || version.get(Options.ALL_TOOLS_NEED_APPROVAL);
        return options.with(Options.ALL_TOOLS_NEED_APPROVAL, allNeedApproval);
    }

    private static <T extends @Nullable Object> OptionValues copy(
            Option<T> option, OptionValues from, OptionValues to) {
        return to.with(option, from.get(option));
    }

    private static Functions functions(Functions code, Functions version) {
        return new Functions(
                version.instructions(),
                version.model(),
                context -> withApprovals(
                        code.tools().apply(context), version.tools().apply(context)),
                code.dynamic() || version.dynamic());
    }

    private static List<Tool> withApprovals(List<Tool> code, List<Tool> version) {
        Map<String, Tool> guarded = new HashMap<>();
        code.stream().filter(tool -> tool.approval().isPresent()).forEach(tool -> guarded.put(tool.name(), tool));
        return version.stream()
                .map(tool -> guarded.containsKey(tool.name()) ? tool.requiringApproval() : tool)
                .toList();
    }
}
