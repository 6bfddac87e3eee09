package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.option.RunKind;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.MemoryOptions;
import dev.chargehand.memory.RecallOptions;
import dev.chargehand.memory.Scope;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.version.Version;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stored form of a run's settings: the {@link Options} that are plain data. */
record StoredSettings(
        @JsonProperty("maxSteps") @Nullable Integer maxSteps,
        @JsonProperty("toolCallConcurrency") int toolCallConcurrency,
        @JsonProperty("retries") int retries,
        @JsonProperty("toolChoice") String toolChoice,
        @JsonProperty("activeTools") @Nullable List<String> activeTools,
        @JsonProperty("limits") StoredBounds.Counts limits,
        @JsonProperty("timeLimits") StoredBounds.Times timeLimits,
        @JsonProperty("budget") StoredBounds.Spendable budget,
        @JsonProperty("prices") StoredBounds.PriceList prices,
        @JsonProperty("delegation") Delegation delegation,
        @JsonProperty("approvals") Approvals approvals,
        @JsonProperty("busyThread") BusyThreadPolicy busyThread,
        @JsonProperty("hookPolicies") Map<Hook, HookPolicy> hookPolicies,
        @JsonProperty("modelSettings") Sampling modelSettings,
        @JsonProperty("metadata") Map<String, String> metadata,
        @JsonProperty("structuredOutput") @Nullable Structured structuredOutput,
        @JsonProperty("kind") @Nullable RunKind kind,
        @JsonProperty("maxProcessorRetries") @Nullable Integer maxProcessorRetries,
        @JsonProperty("hookTimeLimits") @Nullable Map<Hook, Duration> hookTimeLimits,
        @JsonProperty("memory") @Nullable Recollection memory,
        @JsonProperty("versions") @Nullable Map<String, StoredVersion> versions,
        @JsonProperty("defaultVersion") @Nullable StoredVersion defaultVersion,
        @JsonProperty("pauseAfterEach") @Nullable Boolean pauseAfterEach) {

    /** The stored form of the options of delegations. */
    record Delegation(
            @JsonProperty("subAgentContext") Context subAgentContext,
            @JsonProperty("bailStrategy") BailStrategy bailStrategy,
            @JsonProperty("cancelSiblings") boolean cancelSiblings,
            @JsonProperty("includeSubAgentToolResults") boolean includeSubAgentToolResults,
            @JsonProperty("resultReferences") boolean resultReferences) {

        static Delegation of(OptionValues settings) {
            return new Delegation(
                    Context.of(settings.get(Options.SUB_AGENT_CONTEXT)),
                    settings.get(Options.BAIL_STRATEGY),
                    settings.get(Options.CANCEL_SIBLINGS),
                    settings.get(Options.SUB_AGENT_TOOL_RESULTS),
                    settings.get(Options.RESULT_REFERENCES));
        }

        OptionValues into(OptionValues settings) {
            return settings.with(Options.SUB_AGENT_CONTEXT, subAgentContext.toContext())
                    .with(Options.BAIL_STRATEGY, bailStrategy)
                    .with(Options.CANCEL_SIBLINGS, cancelSiblings)
                    .with(Options.SUB_AGENT_TOOL_RESULTS, includeSubAgentToolResults)
                    .with(Options.RESULT_REFERENCES, resultReferences);
        }
    }

    /** The stored form of {@link SubAgentContext}, without its filter, which is code. */
    record Context(
            @JsonProperty("mostMessages") @Nullable Integer mostMessages,
            @JsonProperty("filterInternalMessages") boolean filterInternalMessages) {

        static Context of(SubAgentContext context) {
            return new Context(context.mostMessages(), context.filterInternalMessages());
        }

        SubAgentContext toContext() {
            return new SubAgentContext(mostMessages, filterInternalMessages, null);
        }
    }

    /** The stored form of the options of approvals. */
    record Approvals(
            @JsonProperty("all") boolean all,
            @JsonProperty("expiry") Duration expiry,
            @JsonProperty("selfApproval") boolean selfApproval,
            @JsonProperty("requester") @Nullable String requester) {

        static Approvals of(OptionValues settings) {
            return new Approvals(
                    settings.get(Options.ALL_TOOLS_NEED_APPROVAL),
                    settings.get(Options.APPROVAL_EXPIRY),
                    settings.get(Options.SELF_APPROVAL),
                    settings.get(Options.REQUESTER));
        }

        OptionValues into(OptionValues settings) {
            OptionValues read = settings.with(Options.ALL_TOOLS_NEED_APPROVAL, all)
                    .with(Options.APPROVAL_EXPIRY, expiry)
                    .with(Options.SELF_APPROVAL, selfApproval);
            return requester == null ? read : read.with(Options.REQUESTER, requester);
        }
    }

    /** The stored form of {@link ModelSettings}. */
    record Sampling(
            @JsonProperty("temperature") @Nullable Double temperature,
            @JsonProperty("topP") @Nullable Double topP,
            @JsonProperty("maxOutputTokens") @Nullable Integer maxOutputTokens,
            @JsonProperty("seed") @Nullable Long seed,
            @JsonProperty("stopSequences") List<String> stopSequences,
            @JsonProperty("reasoningEffort") @Nullable String reasoningEffort) {

        static Sampling of(ModelSettings settings) {
            return new Sampling(
                    settings.temperature(),
                    settings.topP(),
                    settings.maxOutputTokens(),
                    settings.seed(),
                    settings.stopSequences(),
                    settings.reasoningEffort());
        }

        ModelSettings toSettings() {
            return new ModelSettings(temperature, topP, maxOutputTokens, seed, stopSequences, reasoningEffort);
        }
    }

    /** The stored form of {@link StructuredOutput}. */
    record Structured(
            @JsonProperty("schema") Json schema,
            @JsonProperty("onInvalid") StructuredOutput.OnInvalid onInvalid,
            @JsonProperty("fallback") @Nullable Json fallback,
            @JsonProperty("structuringModels") List<String> structuringModels) {

        static Structured of(StructuredOutput output) {
            return new Structured(
                    output.schema().json(), output.onInvalid(), output.fallback(), output.structuringModels());
        }

        StructuredOutput toOutput() {
            return new StructuredOutput(JsonSchema.of(schema), onInvalid, fallback, structuringModels);
        }
    }

    /** The stored form of {@link MemoryOptions}. */
    record Recollection(
            @JsonProperty("readOnly") boolean readOnly,
            @JsonProperty("lastMessages") @Nullable Integer lastMessages,
            @JsonProperty("historyTokens") @Nullable Integer historyTokens,
            @JsonProperty("semanticRecall") boolean semanticRecall,
            @JsonProperty("recall") @Nullable Search recall) {

        static Recollection of(MemoryOptions options) {
            return new Recollection(
                    options.isReadOnly(),
                    options.lastMessages().isPresent() ? options.lastMessages().getAsInt() : null,
                    options.historyTokens().isPresent()
                            ? options.historyTokens().getAsInt()
                            : null,
                    options.recalls(),
                    Search.of(options.recall()));
        }

        MemoryOptions toOptions() {
            MemoryOptions options = readOnly ? MemoryOptions.DEFAULT.readOnly() : MemoryOptions.DEFAULT;
            options = lastMessages == null ? options : options.lastMessages(lastMessages);
            options = historyTokens == null ? options : options.historyTokens(historyTokens);
            Search search = recall;
            options = search == null ? options : options.semanticRecall(none -> search.toOptions());
            return semanticRecall ? options : options.withoutSemanticRecall();
        }
    }

    /** The stored form of {@link RecallOptions}. */
    record Search(
            @JsonProperty("topK") @Nullable Integer topK,
            @JsonProperty("messagesBefore") @Nullable Integer messagesBefore,
            @JsonProperty("messagesAfter") @Nullable Integer messagesAfter,
            @JsonProperty("scope") @Nullable Scope scope,
            @JsonProperty("threshold") @Nullable Double threshold) {

        static @Nullable Search of(RecallOptions options) {
            return options.equals(RecallOptions.DEFAULT)
                    ? null
                    : new Search(
                            options.topK(),
                            options.messagesBefore(),
                            options.messagesAfter(),
                            options.scope(),
                            options.threshold());
        }

        RecallOptions toOptions() {
            return new RecallOptions(topK, messagesBefore, messagesAfter, scope, threshold);
        }
    }

    /** The stored form of {@link Version}. */
    record StoredVersion(
            @JsonProperty("kind") Version.Kind kind,
            @JsonProperty("id") @Nullable String id,
            @JsonProperty("orCode") @Nullable Boolean orCode) {

        static StoredVersion of(Version version) {
            return new StoredVersion(
                    version.kind(), version.id().orElse(null), version.fallsBackToCode() ? true : null);
        }

        /** Return the stored form of all; null for none. */
        static @Nullable Map<String, StoredVersion> all(Map<String, Version> versions) {
            if (versions.isEmpty()) {
                return null;
            }
            Map<String, StoredVersion> stored = LinkedHashMap.newLinkedHashMap(versions.size());
            versions.forEach((agent, version) -> stored.put(agent, of(version)));
            return stored;
        }

        static Map<String, Version> toVersions(Map<String, StoredVersion> stored) {
            Map<String, Version> versions = LinkedHashMap.newLinkedHashMap(stored.size());
            stored.forEach((agent, version) -> versions.put(agent, version.toVersion()));
            return versions;
        }

        Version toVersion() {
            Version version =
                    switch (kind) {
                        case ID -> Version.id(String.valueOf(id));
                        case PUBLISHED -> Version.published();
                        case LATEST -> Version.latest();
                    };
            return orCode != null && orCode ? version.orCode() : version;
        }
    }

    static StoredSettings of(OptionValues settings) {
        MemoryOptions memory = ifChanged(settings, Options.MEMORY);
        StructuredOutput output = settings.get(Options.STRUCTURED_OUTPUT);
        Version defaultVersion = settings.get(Options.DEFAULT_VERSION);
        return new StoredSettings(
                settings.get(Options.MAX_STEPS),
                settings.get(Options.TOOL_CALL_CONCURRENCY),
                settings.get(Options.RETRIES),
                settings.get(Options.TOOL_CHOICE).text(),
                settings.get(Options.ACTIVE_TOOLS),
                StoredBounds.Counts.of(settings.get(Options.LIMITS)),
                StoredBounds.Times.of(settings.get(Options.TIME_LIMITS)),
                StoredBounds.Spendable.of(settings.get(Options.BUDGET)),
                StoredBounds.PriceList.of(settings.get(Options.PRICES)),
                Delegation.of(settings),
                Approvals.of(settings),
                settings.get(Options.BUSY_THREAD),
                settings.get(Options.HOOK_POLICIES),
                Sampling.of(settings.get(Options.MODEL_SETTINGS)),
                settings.get(Options.METADATA),
                output == null ? null : Structured.of(output),
                settings.get(Options.KIND),
                ifChanged(settings, Options.MAX_PROCESSOR_RETRIES),
                ifChanged(settings, Options.HOOK_TIME_LIMITS),
                memory == null ? null : Recollection.of(memory),
                StoredVersion.all(settings.get(Options.VERSIONS)),
                defaultVersion == null ? null : StoredVersion.of(defaultVersion),
                ifChanged(settings, Options.PAUSE_AFTER_EACH));
    }

    private static <T> @Nullable T ifChanged(OptionValues settings, Option<T> option) {
        T value = settings.get(option);
        return value.equals(option.byDefault()) ? null : value;
    }

    OptionValues toSettings() {
        OptionValues settings = OptionValues.DEFAULT
                .with(Options.TOOL_CALL_CONCURRENCY, toolCallConcurrency)
                .with(Options.RETRIES, retries)
                .with(Options.TOOL_CHOICE, ToolChoice.parse(toolChoice))
                .with(Options.LIMITS, limits.toLimits())
                .with(Options.TIME_LIMITS, timeLimits.toLimits())
                .with(Options.BUDGET, budget.toBudget())
                .with(Options.PRICES, prices.toPrices())
                .with(Options.BUSY_THREAD, busyThread)
                .with(Options.HOOK_POLICIES, hookPolicies)
                .with(Options.MODEL_SETTINGS, modelSettings.toSettings())
                .with(Options.METADATA, metadata);
        settings = approvals.into(delegation.into(settings));
        settings = maxSteps == null ? settings : settings.with(Options.MAX_STEPS, maxSteps);
        settings = activeTools == null ? settings : settings.with(Options.ACTIVE_TOOLS, activeTools);
        settings = structuredOutput == null
                ? settings
                : settings.with(Options.STRUCTURED_OUTPUT, structuredOutput.toOutput());
        settings = kind == null ? settings : settings.with(Options.KIND, kind); // some facts are older than networks
        settings = maxProcessorRetries == null
                ? settings
                : settings.with(Options.MAX_PROCESSOR_RETRIES, maxProcessorRetries);
        settings = hookTimeLimits == null ? settings : settings.with(Options.HOOK_TIME_LIMITS, hookTimeLimits);
        settings = memory == null ? settings : settings.with(Options.MEMORY, memory.toOptions());
        settings = pauseAfterEach == null ? settings : settings.with(Options.PAUSE_AFTER_EACH, pauseAfterEach);
        settings = versions == null ? settings : settings.with(Options.VERSIONS, StoredVersion.toVersions(versions));
        return defaultVersion == null ? settings : settings.with(Options.DEFAULT_VERSION, defaultVersion.toVersion());
    }
}
