package dev.chargehand.config.internal.crew;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorer;
import dev.chargehand.config.choice.CrewOption;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.config.internal.file.AgentDefinition;
import dev.chargehand.config.internal.file.CompletionEntry;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.config.internal.file.ProcessorsEntry;
import dev.chargehand.config.internal.file.ScorerEntry;
import dev.chargehand.config.internal.file.StructuredOutputEntry;
import dev.chargehand.config.internal.file.ToolEntry;
import dev.chargehand.config.internal.offline.OfflineModel;
import dev.chargehand.config.internal.workflow.WorkflowDefinition;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.processor.Processor;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.search.FileSearch;
import dev.chargehand.search.report.IndexProgress;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds an agent of the file with its descendants, and the resources of their tools. Close it after the last run. */
public final class AgentAssembly implements AutoCloseable {

    private final FileDefinition file;
    private final ModelSelection models;
    private final Documents documents;
    private final OwnTools own;
    private final UnaryOperator<Path> index;
    private final Consumer<IndexProgress> indexing;
    private final Map<String, Agent> built = new HashMap<>();
    private final WorkflowAssembly workflows;
    private @Nullable FileSearch search;

    /**
     * Prepare building.
     *
     * @param own makes the tools that the file defines, and is closed with this
     * @param index returns the folder for the index of a folder
     * @param indexing receives the progress of indexing
     */
    public AgentAssembly(
            FileDefinition file,
            ModelSelection models,
            Documents documents,
            OwnTools own,
            UnaryOperator<Path> index,
            Consumer<IndexProgress> indexing) {
        this.index = index;
        this.own = own;
        this.indexing = indexing;
        this.file = file;
        this.models = models;
        this.documents = documents;
        this.workflows = new WorkflowAssembly(id -> agent(file.agent(id)), this::tool, file::workflow);
    }

    /** Return a workflow, with the agents of its steps; the file has no cycles. */
    public Workflow<Json, Json> workflow(WorkflowDefinition definition) {
        return workflows.workflow(definition);
    }

    /** Return a workflow whose agents are only named. */
    public static Workflow<Json, Json> outline(FileDefinition file, WorkflowDefinition definition) {
        WorkflowAssembly outlines = new WorkflowAssembly(
                id -> Agent.builder(id.text()).model(new OfflineModel()).build(), AgentAssembly::named, file::workflow);
        return outlines.workflow(definition);
    }

    /** Return an agent, its descendants first; the file has no cycles. */
    public Agent agent(AgentDefinition entry) {
        Agent there = built.get(entry.id());
        if (there != null) {
            return there;
        }
        Agent agent = build(entry);
        built.put(entry.id(), agent);
        return agent;
    }

    /** Build a version of an agent; its sub-agents are those of the file. */
    public Agent build(AgentDefinition entry) {
        AgentBuilder builder = Agent.builder(entry.id())
                .description(entry.description())
                .instructions(entry.instructions())
                .defaultOptions(file.options()::set)
                .defaultOptions(entry.options()::set)
                .model(models.of(entry))
                .tools(entry.tools().stream().map(this::tool).toList());
        if (entry.version() != null) {
            builder.version(entry.version());
        }
        for (Setting id : entry.agents()) {
            builder.addAgent(agent(file.agent(id)));
        }
        for (Setting id : entry.workflows()) {
            builder.addWorkflow(id.text(), workflow(file.workflow(id)));
        }
        builder.memory(memory -> entry.memory().set(memory, models::embed, models::writer));
        if (entry.delegationMemory() != null) {
            builder.delegationMemory(entry.delegationMemory());
        }
        if (entry.requireToolApproval()) {
            builder.defaultOptions(options -> options.requireToolApproval(true));
        }
        builder.defaultOptions(entry.delegation()::set).background(entry.background()::set);
        CompletionEntry completion = entry.completion();
        if (completion != null) {
            Completion made = completion.with(scorer -> scorer(entry, scorer));
            builder.defaultOptions(options -> options.completion(made));
        }
        process(entry, builder);
        StructuredOutputEntry structured = entry.structuredOutput();
        if (structured != null) {
            StructuredOutput output = structured.by(models.namesOfStructuring(structured, entry));
            builder.defaultOptions(options -> options.structuredOutput(output));
        }
        return builder.build();
    }

    /** Return an agent that has the id and the memory of another one, and nothing else. */
    public Agent rememberer(AgentDefinition entry) {
        return Agent.builder(entry.id())
                .model(new OfflineModel())
                .memory(memory -> entry.memory().set(memory, models::embed, writer -> Optional.empty()))
                .build();
    }

    private void process(AgentDefinition entry, AgentBuilder builder) {
        ProcessorsEntry processors = entry.processors();
        if (!processors.input().isEmpty()) {
            builder.inputProcessors(processors(entry, processors.input()));
        }
        if (!processors.output().isEmpty()) {
            builder.outputProcessors(processors(entry, processors.output()));
        }
    }

    private Processor[] processors(AgentDefinition agent, List<ProcessorsEntry.One> entries) {
        return entries.stream()
                .map(entry -> switch (entry) {
                    case ProcessorsEntry.Plain plain -> plain.processor();
                    case ProcessorsEntry.Judged judged -> judged.by(models.ofJudge(judged, agent));
                })
                .toArray(Processor[]::new);
    }

    private Scorer scorer(AgentDefinition agent, ScorerEntry entry) {
        return switch (entry) {
            case ScorerEntry.Plain plain -> plain.scorer();
            case ScorerEntry.OfDocuments ofDocuments -> ofDocuments.in(documents.folder());
            case ScorerEntry.Judged judged -> judged.by(models.ofJudge(judged, agent));
        };
    }

    /** Return a tool that has a name, and does nothing. */
    private static Tool named(ToolEntry entry) {
        return Tool.of(entry.name().text(), "A tool.", Json.class, (arguments, context) -> arguments);
    }

    private Tool tool(ToolEntry entry) {
        Tool tool = own.named(entry.name().text()).orElseGet(() -> ofDocuments(entry.name()));
        return entry.approval() ? tool.requiringApproval() : tool;
    }

    private Tool ofDocuments(Setting name) {
        FileSearch open = search(name);
        return switch (name.text()) {
            case "list-files" -> open.listTool();
            case "read-file" -> open.readTool();
            default -> open.tool();
        };
    }

    private FileSearch search(Setting name) {
        FileSearch open = search;
        if (open == null) {
            try {
                open = FileSearch.builder(documents.folder())
                        .sourcePrefix(documents.name())
                        .keptIn(index.apply(documents.folder()))
                        .onProgress(indexing)
                        .build();
            } catch (ConfigurationException e) {
                throw new CrewOptionException(
                        CrewOption.DOCUMENTS,
                        documents.at(),
                        e.getMessage() + " The tool '" + name.text() + "' (" + name.at() + ") searches it.");
            }
            search = open;
        }
        return open;
    }

    @Override
    public void close() {
        own.close();
        FileSearch open = search;
        if (open != null) {
            open.close();
        }
    }
}
