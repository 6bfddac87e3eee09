package dev.chargehand.internal.memory.side;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelResponse;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls models besides the conversation, each once. Thread-safe.
 *
 * @param cancellation ends a call
 * @param site describes the call of a model of a name
 * @param meter sees each answer
 */
public record SideCalls(
        SideModels models,
        BoundedCalls calls,
        Cancellation cancellation,
        Function<String, CallSite> site,
        SideMeter meter) {

    /** Return the same calls, whose answers something else sees. */
    public SideCalls metered(SideMeter by) {
        return new SideCalls(models, calls, cancellation, site, by);
    }

    /**
     * Ask a model.
     *
     * @throws SideModelFailedException if it did not answer in time, threw, or returned no text
     * @throws dev.chargehand.internal.call.RunInterruptedException if it is cancelled
     */
    public SideAnswer ask(SideQuestion question) throws SideModelFailedException {
        Model model = model(question);
        meter.starts();
        SideModelCall call = new SideModelCall(calls, model.name());
        Cancellation.Registration registration = cancellation.onCancel(call::close);
        try {
            @Nullable
            ModelResponse answer = calls.call(site.apply(model.name()), question.limit(), cancellation, () -> {
                try {
                    return model.ask(question.request(), call);
                } finally {
                    models.redactor().learn(model.secrets());
                }
            });
            call.forget();
            return checked(model, answer);
        } catch (BoundedCalls.TimedOutException e) {
            throw new SideModelFailedException("The model '" + model.name() + "' did not answer within "
                    + ReadableTime.of(question.limit()) + ".");
        } catch (BoundedCalls.ThrewException e) {
            throw new SideModelFailedException("The model '" + model.name() + "' failed: " + described(e.thrown()));
        } finally {
            registration.close();
            call.close();
        }
    }

    private Model model(SideQuestion question) throws SideModelFailedException {
        try {
            return models.of(question.model());
        } catch (ChargehandException e) { // no provider knows the model any more
            throw new SideModelFailedException(models.redactor().redact(e.publicMessage()));
        }
    }

    private SideAnswer checked(Model model, @Nullable ModelResponse answer) throws SideModelFailedException {
        if (answer != null) {
            String text = models.redactor().redact(answer.text().strip());
            SideAnswer seen = new SideAnswer(model.name(), text, answer.finish().isComplete(), answer.usage());
            meter.answered(seen);
            if (!text.isEmpty()) {
                return seen;
            }
        }
        throw new SideModelFailedException("The model '" + model.name() + "' returned no text.");
    }

    /** Without the provider's own words, which may quote the conversation. */
    private String described(Throwable thrown) {
        return thrown instanceof ChargehandException failure
                ? models.redactor().redact(failure.publicMessage())
                : models.redactor().words(thrown);
    }
}
