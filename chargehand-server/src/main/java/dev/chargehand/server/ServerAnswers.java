package dev.chargehand.server;

/** When the text of an answer is streamed to clients from which it cannot be taken back: those of {@link ServerWire#OPENAI}. */
public enum ServerAnswers {
    /**
     * As it arrives, unless something may reject or replace the answer: {@code completion}, {@code onIterationComplete}, {@code
     * onDelegationComplete}, which may bail, a structured output, or processors of the output. Then as with {@link #FINAL}.
     */
    AUTO,
    /**
     * When nothing can reject or replace it: the text before calls when the next step starts, the answer when the run has ended. Only
     * the answer is sent if the output is structured or has processors.
     */
    FINAL,
    /**
     * As it arrives, always. A client then also receives answers that are rejected, and after an answer that is replaced the other one,
     * as a further text. If what was sent is not the start of a text that is made again, the stream ends with an error.
     */
    LIVE
}
