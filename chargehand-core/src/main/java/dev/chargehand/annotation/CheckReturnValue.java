package dev.chargehand.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method whose result must be used, because the call has no other effect: a changed copy of an immutable value.
 * On a type it holds for all methods.
 *
 * <p>Error Prone and other checkers recognize the annotation by its simple name and report a call that ignores the
 * result.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface CheckReturnValue {}
