package dev.chargehand.completion;

import java.util.concurrent.CancellationException;

/** A text that lets no regular expression search it any longer once its thread is interrupted. */
record InterruptibleText(CharSequence text) implements CharSequence {

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("The search was interrupted.");
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new InterruptibleText(text.subSequence(start, end));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
