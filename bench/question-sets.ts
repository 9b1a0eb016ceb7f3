import type { SemanticCategory } from '../src/protocol/categories.ts'
import { categoryOf, type FlatOperation, openApiOperations, readData, snakeCase } from './catalogue.ts'
import { EVERYDAY_QUESTIONS } from './everyday-questions.ts'
import { FILM_OPERATIONS, FILM_QUESTIONS } from './film-questions.ts'

/** Questions with the operations that answer them, for the quality of the search. */
export interface QuestionSet {
  readonly operations: readonly FlatOperation[]
  readonly questions: readonly Question[]
}

export interface Question {
  readonly text: string
  /** The identifiers of the operations that answer it. */
  readonly right: readonly string[]
  /** What the asker wants to do; one search each where several are given. */
  readonly categories: readonly SemanticCategory[]
}

/** Ten things to do with the demo, for the cost of being ready to do them. */
export const TEN_WISHES: readonly string[] = [
  'open a bug report',
  'list open issues by priority',
  'close an issue',
  'comment on an issue',
  'who are the users',
  'attach a file',
  'remove a label',
  'issues that block each other',
  'import issues',
  'rename a project',
]

/** Questions written for GitHub's API, one right operation or two equivalent ones each. */
export function githubQuestions(): QuestionSet {
  const set = JSON.parse(readData('search/github-questions-dev.json')) as {
    document: string
    questions: { text: string; category: SemanticCategory; gold: string[] }[]
  }
  return {
    operations: openApiOperations(set.document),
    questions: set.questions.map(({ text, category, gold }) => ({ text, right: gold, categories: [category] })),
  }
}

/** RestBench, Spotify: each question needs several operations. */
export function spotifyQuestions(): QuestionSet {
  const set = JSON.parse(readData('search/restbench-spotify.json')) as {
    operations: { id: string; operationId: string; summary: string; description: string }[]
    queries: { query: string; relevant: string[] }[]
  }
  const operations = set.operations.map(({ id, operationId, summary, description }): FlatOperation => {
    const [method = '', path = ''] = id.split(' ')
    const category = categoryOf(method, path, summary)
    const name = snakeCase(operationId)
    return { id, name, category, summary, description, path: id, tags: [], params: [], deprecated: false }
  })
  const categories = new Map(operations.map(({ id, category }) => [id, category]))
  return {
    operations,
    questions: set.queries.map(({ query, relevant }) => ({
      text: query,
      right: relevant,
      categories: [...new Set(relevant.flatMap((id) => categories.get(id) ?? []))],
    })),
  }
}

/** StableToolBench: many small sources, all of them read only. */
export function toolQuestions(): QuestionSet {
  const set = JSON.parse(readData('search/stabletoolbench-dev.json')) as {
    tools: { id: string; category: string; tool: string; name: string; description: string; params: ToolParam[] }[]
    queries: { query: string; relevant: string[] }[]
  }
  return {
    operations: set.tools.map(
      ({ id, category, tool, name, description, params }): FlatOperation => ({
        id,
        name: snakeCase(name) || id,
        category: 'READ',
        description,
        tags: [category],
        source: tool,
        params: params.map((param) => ({ ...param, type: 'string', in: 'query' })),
        deprecated: false,
      }),
    ),
    questions: set.queries.map(({ query, relevant }) => ({ text: query, right: relevant, categories: ['READ'] })),
  }
}

/** Our own questions in everyday words, one set for each API: those with one right step, then those with several. */
export function everydayQuestions(): readonly { readonly single: QuestionSet; readonly steps: QuestionSet }[] {
  return Object.entries(EVERYDAY_QUESTIONS).map(([document, text]) => {
    const operations = openApiOperations(document)
    const questions = ownQuestions(text, operations)
    const hasSteps = ({ line }: OwnQuestion) => line.includes(' + ')
    return {
      single: { operations, questions: questions.filter((question) => !hasSteps(question)) },
      steps: { operations, questions: questions.filter(hasSteps) },
    }
  })
}

/** Our own questions in the manner of RestBench about a film database: names are given, ids are wanted. */
export function filmQuestions(): QuestionSet {
  const operations = linesOf(FILM_OPERATIONS).map((line): FlatOperation => {
    const [id = '', summary = '', description = ''] = line.split(' | ')
    const [method = '', path = ''] = id.split(' ')
    const category = categoryOf(method, path, summary)
    return {
      id,
      name: snakeCase(id),
      category,
      summary,
      description,
      path: id,
      tags: [],
      params: [],
      deprecated: false,
    }
  })
  return { operations, questions: ownQuestions(FILM_QUESTIONS, operations) }
}

interface OwnQuestion extends Question {
  readonly line: string
}

function ownQuestions(text: string, operations: readonly FlatOperation[]): readonly OwnQuestion[] {
  const categories = new Map(operations.map(({ id, category }) => [id, category]))
  return linesOf(text).map((line) => {
    const [question = '', answer = ''] = line.split(' | ')
    const right = answer.split(/ [+=] /)
    return { line, text: question, right, categories: [...new Set(right.flatMap((id) => categories.get(id) ?? []))] }
  })
}

function linesOf(text: string): readonly string[] {
  return text.trim().split('\n')
}

interface ToolParam {
  readonly name: string
  readonly required: boolean
  readonly description: string
}
