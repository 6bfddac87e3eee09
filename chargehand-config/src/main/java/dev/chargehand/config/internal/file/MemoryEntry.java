package dev.chargehand.config.internal.file;

import dev.chargehand.config.internal.key.MemoryKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Ancestor;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Observations;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.memory.ThreadTitles;
import dev.chargehand.memory.WorkingMemory;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an agent remembers; null where the file says nothing.
 *
 * @param lastMessages how many messages of its conversation
 * @param historyTokens how many tokens of it at most
 * @param recall how it finds earlier messages
 * @param working the text that it keeps up to date
 * @param observer what writes observations of older messages
 * @param title what writes the titles of its conversations
 * @param reads whose working memory it sees as a sub-agent
 * @param dailyTokens how many tokens its work after runs may use on a day
 */
public record MemoryEntry(
        @Nullable Integer lastMessages,
        @Nullable Integer historyTokens,
        @Nullable Recall recall,
        @Nullable WorkingMemory working,
        @Nullable Observer observer,
        @Nullable Title title,
        @Nullable Ancestor reads,
        @Nullable Long dailyTokens) {

    /** The file says nothing. */
    public static final MemoryEntry NONE = new MemoryEntry(null, null, null, null, null, null, null, null);

    /**
     * How earlier messages are found; null where the file says nothing.
     *
     * @param model the embedding model
     * @param before how many messages before a found one are recalled with it
     * @param after how many messages after it
     */
    public record Recall(
            Setting model,
            @Nullable Integer topK,
            @Nullable Integer before,
            @Nullable Integer after,
            @Nullable Scope scope,
            @Nullable Double threshold,
            @Nullable Boolean alsoToolResults) {

        private void set(SemanticRecall.Builder recall) {
            SectionValues.pass(topK, recall::topK);
            if (before != null || after != null) {
                recall.messageRange(before == null ? 1 : before, after == null ? 1 : after);
            }
            SectionValues.pass(scope, recall::scope);
            SectionValues.pass(threshold, recall::threshold);
            if (Boolean.TRUE.equals(alsoToolResults)) {
                recall.alsoToolResults();
            }
        }
    }

    /**
     * What writes observations, and when; null where the file says nothing.
     *
     * @param model the model
     * @param reflector the model that shortens them
     * @param instructions what is worth remembering
     */
    public record Observer(
            Setting model,
            @Nullable Setting reflector,
            @Nullable Setting instructions,
            @Nullable Scope scope,
            @Nullable Integer messageTokens,
            @Nullable Integer observationTokens,
            @Nullable Boolean recallTool) {

        private void set(Memory.Builder memory, Function<Setting, Optional<String>> models) {
            Optional<String> written = models.apply(model);
            Optional<String> shortened = reflector == null ? written : models.apply(reflector);
            if (written.isEmpty()) {
                return;
            }
            if (reflector != null && shortened.isEmpty()) {
                throw reflector
                        .at()
                        .error(
                                "'reflector' of 'observations' is 'offline', a rule-based stand-in that shortens nothing."
                                        + " Leave it out, so that 'model' shortens them too, or name another model, such as"
                                        + " openai/gpt-5-mini.");
            }
            memory.observations(settings -> {
                settings.model(written.get());
                shortened.ifPresent(settings::reflector);
                set(settings);
            });
        }

        private void set(Observations.Builder settings) {
            SectionValues.pass(scope, settings::scope);
            SectionValues.pass(messageTokens, settings::messageTokens);
            SectionValues.pass(observationTokens, settings::observationTokens);
            if (Boolean.TRUE.equals(recallTool)) {
                settings.recallTool();
            }
            Setting worth = instructions;
            if (worth != null) {
                try {
                    settings.instructions(worth.text());
                } catch (ConfigurationException e) {
                    throw worth.at().error(e.getMessage());
                }
            }
        }
    }

    /**
     * What writes titles.
     *
     * @param model the model
     * @param instructions what it is instructed to write, or null for the default
     */
    public record Title(Setting model, @Nullable Setting instructions) {

        private ThreadTitles by(String name) {
            ThreadTitles titles = ThreadTitles.by(name);
            return instructions == null ? titles : titles.instructions(instructions.text());
        }
    }

    /** Read the value of an agent. */
    static MemoryEntry of(String id, Section agent) {
        if (!agent.has("memory")) {
            return NONE;
        }
        Section section =
                agent.section("memory", "'memory' of agent '" + id + "'").allowing(MemoryKeys.SECTION.names());
        return new MemoryEntry(
                MemoryKeys.LAST_MESSAGES.in(section),
                MemoryKeys.HISTORY_TOKENS.in(section),
                recall(id, section),
                working(id, section),
                observer(id, section),
                title(id, section),
                MemoryKeys.READS_WORKING_MEMORY_OF.in(section),
                MemoryKeys.DAILY_TOKENS.in(section));
    }

    private static @Nullable Title title(String id, Section memory) {
        Setting model = MemoryKeys.TITLE.in(memory);
        Setting instructions = MemoryKeys.TITLE_INSTRUCTIONS.in(memory);
        if (model == null && memory.has("titleInstructions") && !memory.has("title")) {
            memory.mistakes()
                    .add(
                            memory.at("titleInstructions"),
                            "'titleInstructions' of 'memory' of agent '" + id
                                    + "' has no meaning without 'title', the model that writes titles: such as title:"
                                    + " openai/gpt-5-nano.");
        }
        return model == null ? null : new Title(model, instructions);
    }

    private static @Nullable Recall recall(String id, Section memory) {
        if (!memory.has("semanticRecall")) {
            return null;
        }
        Section section = memory.section("semanticRecall", "'semanticRecall' of agent '" + id + "'")
                .allowing(MemoryKeys.Recall.SECTION.names());
        if (memory.isSection("semanticRecall") && !section.has("model")) {
            section.mistakes()
                    .add(
                            memory.at("semanticRecall"),
                            "'semanticRecall' of agent '" + id + "' needs 'model', the embedding model: such as model:"
                                    + " openai/text-embedding-3-small, or model: offline for a stand-in that finds common"
                                    + " words, not meaning.");
        }
        Setting model = MemoryKeys.Recall.MODEL.in(section);
        boolean isPair = section.isSection("messageRange");
        Section range = isPair
                ? section.section("messageRange", "'messageRange' of agent '" + id + "'")
                        .allowing(MemoryKeys.Range.SECTION.names())
                : section;
        Integer before = isPair ? MemoryKeys.Range.BEFORE.in(range) : MemoryKeys.Recall.MESSAGE_RANGE.in(range);
        Integer after = isPair ? MemoryKeys.Range.AFTER.in(range) : before;
        Integer topK = MemoryKeys.Recall.TOP_K.in(section);
        Scope scope = MemoryKeys.Recall.SCOPE.in(section);
        Double threshold = MemoryKeys.Recall.THRESHOLD.in(section);
        Boolean toolResults = MemoryKeys.Recall.ALSO_TOOL_RESULTS.in(section);
        return model == null ? null : new Recall(model, topK, before, after, scope, threshold, toolResults);
    }

    private static @Nullable Observer observer(String id, Section memory) {
        if (!memory.has("observations")) {
            return null;
        }
        Section section = memory.section("observations", "'observations' of agent '" + id + "'")
                .allowing(MemoryKeys.Observations.SECTION.names());
        if (memory.isSection("observations") && !section.has("model")) {
            section.mistakes()
                    .add(
                            memory.at("observations"),
                            "'observations' of agent '" + id + "' needs 'model', the model that writes them: such as"
                                    + " model: openai/gpt-5-nano, or model: offline, with which nothing is observed.");
        }
        Setting model = MemoryKeys.Observations.MODEL.in(section);
        Setting reflector = MemoryKeys.Observations.REFLECTOR.in(section);
        Setting instructions = MemoryKeys.Observations.INSTRUCTIONS.in(section);
        Scope scope = MemoryKeys.Observations.SCOPE.in(section);
        Integer messageTokens = MemoryKeys.Observations.MESSAGE_TOKENS.in(section);
        Integer observationTokens = MemoryKeys.Observations.OBSERVATION_TOKENS.in(section);
        Boolean recallTool = MemoryKeys.Observations.RECALL_TOOL.in(section);
        return model == null
                ? null
                : new Observer(model, reflector, instructions, scope, messageTokens, observationTokens, recallTool);
    }

    private static @Nullable WorkingMemory working(String id, Section memory) {
        if (!memory.has("workingMemory")) {
            return null;
        }
        Mistakes mistakes = memory.mistakes();
        Section section = memory.section("workingMemory", "'workingMemory' of agent '" + id + "'")
                .allowing(MemoryKeys.Working.SECTION.names());
        if (section.has("template") && section.has("schema")) {
            mistakes.add(
                    section.at("schema"),
                    "'schema' of 'workingMemory' of agent '" + id
                            + "' has no meaning together with 'template'. Leave one of them out.");
        }
        Setting template = MemoryKeys.Working.TEMPLATE.in(section);
        Optional<JsonSchema> schema = section.schema("schema");
        Scope scope = MemoryKeys.Working.SCOPE.in(section);
        boolean whole = Boolean.TRUE.equals(MemoryKeys.Working.WHOLE_TEXT.in(section));
        try {
            WorkingMemory working = schema.map(WorkingMemory::schema)
                    .orElseGet(() ->
                            template == null ? WorkingMemory.template() : WorkingMemory.template(template.text()));
            WorkingMemory scoped = scope == null ? working : working.scope(scope);
            if (whole && schema.isPresent()) {
                mistakes.add(
                        section.at("wholeText"),
                        "'wholeText' of 'workingMemory' of agent '" + id
                                + "' has no meaning together with 'schema', whose changes are a JSON merge patch. Leave"
                                + " one of them out.");
                return null;
            }
            return whole ? scoped.wholeText() : scoped;
        } catch (ConfigurationException e) {
            String key = schema.isPresent() ? "schema" : "template";
            mistakes.add(section.at(key), "'" + key + "' of 'workingMemory' of agent '" + id + "': " + e.getMessage());
            return null;
        }
    }

    /**
     * Set the values of the file.
     *
     * @param embedding sets the embedding model of its name
     * @param models returns the name of a model that writes titles or observations, or nothing if none does
     */
    public void set(
            Memory.Builder memory,
            BiConsumer<SemanticRecall.Builder, Setting> embedding,
            Function<Setting, Optional<String>> models) {
        SectionValues.pass(lastMessages, memory::lastMessages);
        SectionValues.pass(historyTokens, memory::historyTokens);
        Recall found = recall;
        if (found != null) {
            memory.semanticRecall(settings -> {
                embedding.accept(settings, found.model());
                found.set(settings);
            });
        }
        SectionValues.pass(dailyTokens, memory::dailyTokens);
        SectionValues.pass(working, memory::workingMemory);
        SectionValues.pass(reads, memory::readsWorkingMemoryOf);
        SectionValues.pass(observer, observed -> observed.set(memory, models));
        SectionValues.pass(
                title, written -> models.apply(written.model()).map(written::by).ifPresent(memory::title));
    }
}
