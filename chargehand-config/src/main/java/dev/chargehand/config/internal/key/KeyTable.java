package dev.chargehand.config.internal.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All keys of the file. */
public final class KeyTable {

    private static final List<KeySection> SECTIONS = List.of(
            FileKeys.SECTION,
            AgentKeys.SECTION,
            AgentKeys.OfTool.SECTION,
            ModelSettingsKeys.SECTION,
            AgentKeys.Context.SECTION,
            BackgroundKeys.SECTION,
            MemoryKeys.SECTION,
            MemoryKeys.Recall.SECTION,
            MemoryKeys.Range.SECTION,
            MemoryKeys.Working.SECTION,
            MemoryKeys.Observations.SECTION,
            CompletionKeys.SECTION,
            ScorerKeys.SECTION,
            ScorerKeys.OfRubric.SECTION,
            ProcessorKeys.SECTION,
            StructuredOutputKeys.SECTION,
            WorkflowKeys.SECTION,
            WorkflowKeys.OfStep.SECTION,
            BoundKeys.Limits.SECTION,
            BoundKeys.TimeLimits.SECTION,
            BoundKeys.OfBudget.SECTION,
            BoundKeys.Price.SECTION,
            BoundKeys.Approvals.SECTION,
            ProviderKeys.SECTION,
            ServerKeys.SECTION,
            ServerKeys.Oidc.SECTION,
            ServerKeys.Limits.SECTION,
            ServerKeys.TimeLimits.SECTION,
            CommandKeys.SECTION,
            CommandKeys.Argument.SECTION,
            OpenApiKeys.SECTION,
            OpenApiKeys.Operation.SECTION);

    private KeyTable() {}

    /** Return the sections, in the order of the schema. */
    public static List<KeySection> sections() {
        return SECTIONS;
    }

    /** Return the JSON Schema of the file, as text for people and editors. */
    public static String schema() {
        Map<String, Object> definitions = new LinkedHashMap<>();
        SECTIONS.forEach(section -> definitions.put(section.name(), section.schema()));
        return JsonText.of(Shape.schema(
                "$schema",
                "http://json-schema.org/draft-07/schema#",
                "title",
                "chargehand.yaml",
                "$ref",
                "#/$defs/" + FileKeys.SECTION.name(),
                "$defs",
                definitions));
    }
}
