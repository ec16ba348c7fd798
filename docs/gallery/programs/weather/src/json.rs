//! Parses JSON. Numbers are f64, and errors are the offset of the offending byte.

use std::collections::HashMap;

#[derive(Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Object(HashMap<String, Value>),
}

impl Value {
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => members.get(key),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

pub struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Self {
        Parser { text, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), usize> {
        self.skip_blanks();
        if self.peek() != Some(byte) {
            return Err(self.at);
        }
        self.at += 1;
        Ok(())
    }

    pub fn value(&mut self) -> Result<Value, usize> {
        self.skip_blanks();
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => Ok(Value::Text(self.string()?)),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, usize> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.at);
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, usize> {
        let start = self.at;
        while matches!(
            self.peek(),
            Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
        ) {
            self.at += 1;
        }
        self.text[start..self.at]
            .parse()
            .map(Value::Number)
            .map_err(|_| start)
    }

    fn string(&mut self) -> Result<String, usize> {
        self.expect(b'"')?;
        let mut text = String::new();
        for (offset, letter) in self.text[self.at..].char_indices() {
            if letter == '"' {
                self.at += offset + 1;
                return Ok(text);
            }
            text.push(letter);
        }
        Err(self.at)
    }

    fn list(&mut self) -> Result<Value, usize> {
        self.expect(b'[')?;
        let mut items = Vec::new();
        loop {
            items.push(self.value()?);
            if self.expect(b',').is_err() {
                self.expect(b']')?;
                return Ok(Value::List(items));
            }
        }
    }

    fn object(&mut self) -> Result<Value, usize> {
        self.expect(b'{')?;
        let mut members = HashMap::new();
        loop {
            self.skip_blanks();
            let key = self.string()?;
            self.expect(b':')?;
            members.insert(key, self.value()?);
            if self.expect(b',').is_err() {
                self.expect(b'}')?;
                return Ok(Value::Object(members));
            }
        }
    }
}
