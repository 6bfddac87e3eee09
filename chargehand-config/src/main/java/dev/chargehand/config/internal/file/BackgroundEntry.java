package dev.chargehand.config.internal.file;

import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.background.Disposition;
import dev.chargehand.config.internal.key.BackgroundKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Which sub-agents and workflows of an agent may be background tasks.
 *
 * @param changes what the file sets, and nothing else
 */
public record BackgroundEntry(List<Consumer<BackgroundOptions.Builder>> changes) {

    /** Sets nothing. */
    private static final BackgroundEntry NONE = new BackgroundEntry(List.of());

    public BackgroundEntry {
        changes = List.copyOf(changes);
    }

    /**
     * Read the value of an agent; it sets nothing if the agent has none.
     *
     * @param agents its sub-agents
     * @param workflows its workflows
     */
    static BackgroundEntry of(String id, Section agent, List<Setting> agents, List<Setting> workflows) {
        return agent.has("background") ? new Reader(id, agent).read(agents, workflows) : NONE;
    }

    /** Set the values of the file. */
    public void set(BackgroundOptions.Builder options) {
        changes.forEach(change -> change.accept(options));
    }

    /** Return whether some call may be a task. */
    public boolean isUsed() {
        BackgroundOptions.Builder options = BackgroundOptions.builder();
        set(options);
        return options.build().isUsed();
    }

    /** Reads the section. */
    private static final class Reader {

        private final Section agent;
        private final Section section;
        private final Mistakes mistakes;
        private final String name;
        private final List<Consumer<BackgroundOptions.Builder>> changes = new ArrayList<>();

        private Reader(String id, Section agent) {
            this.agent = agent;
            this.mistakes = agent.mistakes();
            this.name = "'background' of agent '" + Section.shown(id) + "'";
            this.section = agent.section("background", name).allowing(BackgroundKeys.SECTION.names());
        }

        private BackgroundEntry read(List<Setting> agents, List<Setting> workflows) {
            int before = mistakes.count();
            callees("agents", "sub-agent", agents)
                    .forEach((key, disposition) -> changes.add(options -> options.agent(key, disposition)));
            callees("workflows", "workflow", workflows)
                    .forEach((key, disposition) -> changes.add(options -> options.workflow(key, disposition)));
            if (Boolean.TRUE.equals(BackgroundKeys.ALL.in(section))) {
                changes.add(BackgroundOptions.Builder::all);
                requireSome(agents, workflows);
            }
            SectionValues.pass(
                    BackgroundKeys.TIMEOUT.in(section), value -> changes.add(options -> options.timeout(value)));
            SectionValues.pass(
                    BackgroundKeys.RETRIES.in(section), value -> changes.add(options -> options.retries(value)));
            SectionValues.pass(
                    BackgroundKeys.ON_END.in(section), value -> changes.add(options -> options.onEnd(value)));
            BackgroundEntry entry = new BackgroundEntry(changes);
            if (mistakes.count() == before && agent.isSection("background") && !entry.isUsed()) {
                mistakes.add(
                        agent.at("background"),
                        name + " lets nothing work in the background. Name sub-agents or workflows, such as"
                                + " agents: [ researcher ], set all: true, or leave 'background' out.");
            }
            return entry;
        }

        private void requireSome(List<Setting> agents, List<Setting> workflows) {
            if (agents.isEmpty() && workflows.isEmpty()) {
                mistakes.add(
                        section.at("all"),
                        "'all' of " + name + " names nothing, since the agent has no sub-agents and no workflows."
                                + " Add 'agents' or 'workflows' to the agent, or leave 'background' out.");
            }
        }

        private Map<String, Disposition> callees(String key, String kind, List<Setting> known) {
            Map<String, Disposition> callees = new LinkedHashMap<>();
            if (section.isSection(key)) {
                Section each = section.section(key, "'" + key + "' of " + name);
                for (String callee : each.keys()) {
                    Disposition disposition = each.choice(callee, BackgroundKeys.DISPOSITIONS);
                    requireKnown(callee, each.at(callee), kind, known);
                    if (disposition != null) {
                        callees.put(callee, disposition);
                    }
                }
            } else {
                for (Setting callee : section.texts(key)) {
                    requireKnown(callee.text(), callee.at(), kind, known);
                    callees.put(callee.text(), Disposition.MODEL);
                }
            }
            return callees;
        }

        private void requireKnown(String callee, Position at, String kind, List<Setting> known) {
            List<String> names = known.stream().map(Setting::text).toList();
            if (!names.contains(callee)) {
                mistakes.add(
                        at,
                        "unknown " + kind + " '" + Section.shown(callee) + "' in " + name + "."
                                + (names.isEmpty()
                                        ? " The agent has none; add it to '" + kind.replace("sub-", "")
                                                + "s' of the agent."
                                        : NameSuggestions.allowed("The agent has", callee, names)));
            }
        }
    }
}
