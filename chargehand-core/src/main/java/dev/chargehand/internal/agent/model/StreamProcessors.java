package dev.chargehand.internal.agent.model;

import dev.chargehand.model.ModelDelta;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.ProcessorContext;
import dev.chargehand.processor.TextProcessor;
import dev.chargehand.run.ProcessorPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Has processors look at the texts of one attempt at an answer while they arrive. Used by one thread at a time.
 *
 * <p>Once something tripped or failed, nothing passes any more.
 */
public final class StreamProcessors {

    /** Lets everything pass. */
    static final StreamProcessors NONE = new StreamProcessors(null, List.of());

    private final @Nullable ProcessorChain processing;
    private final List<OutputStreamProcessor> processors;
    private @Nullable List<TextProcessor> text;
    private @Nullable List<TextProcessor> reasoning;
    private ProcessorChain.@Nullable Passed<String> tripped;

    private StreamProcessors(@Nullable ProcessorChain processing, List<OutputStreamProcessor> processors) {
        this.processing = processing;
        this.processors = List.copyOf(processors);
    }

    /** Have processors look at the texts of an attempt. */
    public static StreamProcessors of(ProcessorChain processing, List<OutputStreamProcessor> processors) {
        return processors.isEmpty() ? NONE : new StreamProcessors(processing, processors);
    }

    /** Return whether there are no processors. */
    boolean isNone() {
        return processors.isEmpty();
    }

    /** Return what tripped, if anything did. */
    ProcessorChain.@Nullable Passed<String> tripped() {
        return tripped;
    }

    /**
     * Return what passes of a delta, empty if nothing does.
     *
     * @throws ProcessingFailedException if a processor failed
     */
    List<ModelDelta> next(ModelDelta delta) {
        if (isNone()) {
            return List.of(delta);
        }
        return switch (delta) {
            case ModelDelta.Text more -> text(passed(texts(), more.text(), false));
            case ModelDelta.Reasoning more -> reasoning(passed(reasonings(), more.text(), false));
            case ModelDelta.ToolCallStart ignored -> List.of(delta);
            case ModelDelta.ToolCallArguments ignored -> List.of(delta);
            case ModelDelta.ToolCallEnd ignored -> List.of(delta);
        };
    }

    /** Return what was withheld and pass, now that the answer is complete. */
    List<ModelDelta> end() {
        List<ModelDelta> rest = new ArrayList<>();
        if (reasoning != null) {
            rest.addAll(reasoning(passed(reasoning, "", true)));
        }
        if (text != null && tripped == null) {
            rest.addAll(text(passed(text, "", true)));
        }
        return tripped == null ? rest : List.of();
    }

    private static List<ModelDelta> text(String passed) {
        return passed.isEmpty() ? List.of() : List.of(new ModelDelta.Text(passed));
    }

    private static List<ModelDelta> reasoning(String passed) {
        return passed.isEmpty() ? List.of() : List.of(new ModelDelta.Reasoning(passed));
    }

    private List<TextProcessor> texts() {
        if (text == null) {
            text = started();
        }
        return text;
    }

    private List<TextProcessor> reasonings() {
        if (reasoning == null) {
            reasoning = started();
        }
        return reasoning;
    }

    private List<TextProcessor> started() {
        List<TextProcessor> started = new ArrayList<>();
        for (OutputStreamProcessor processor : processors) {
            started.add(call(processor, context -> processor.processOutputStream(context)));
        }
        return started;
    }

    private String passed(List<TextProcessor> started, String delta, boolean ends) {
        String passed = delta;
        for (int i = 0; i < started.size(); i++) {
            OutputStreamProcessor processor = processors.get(i);
            TextProcessor looking = started.get(i);
            if (!passed.isEmpty()) {
                String before = passed;
                passed = applied(processor, before, call(processor, context -> looking.next(before)));
            }
            if (ends && tripped == null) {
                passed += applied(processor, "", call(processor, context -> looking.end()));
            }
            if (tripped != null) {
                return "";
            }
        }
        return passed;
    }

    private String applied(OutputStreamProcessor processor, String before, Processed<String> said) {
        ProcessorChain.Passed<String> after = Objects.requireNonNull(processing)
                .after(processor, ProcessorPhase.OUTPUT_STREAM, ProcessorChain.Passed.as(before), said);
        if (after.trip() != null) {
            tripped = after;
            return "";
        }
        return after.value();
    }

    private <R> R call(OutputStreamProcessor processor, ProcessorChain.Work<R> work) {
        ProcessorChain.Work<R> whole =
                (ProcessorContext context) -> Objects.requireNonNull(work.in(context), "it returned null");
        return Objects.requireNonNull(processing).call(processor, ProcessorPhase.OUTPUT_STREAM, whole);
    }
}
